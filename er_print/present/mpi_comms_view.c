/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The communicators of all ranks: those of one identity are one. */
#include "commands.h"
#include "mpi_ranks.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct communicator {
	const char *identity; /* "": not known to be another rank's as well */
	const char *made_by, *name;
	uint64_t size, remote_size, leader;
	uint64_t members; /* of them that are among the experiments */
	uint64_t number;  /* in the experiment that was read last */
	uint32_t experiment;
};
struct communicators {
	struct communicator *array;
	size_t count;
};

static struct communicator *find(struct communicators *all, const char *identity, uint64_t leader)
{
	for (size_t i = 0; *identity && i < all->count; i++)
		if (!strcmp(all->array[i].identity, identity) && all->array[i].leader == leader)
			return &all->array[i];
	all->array = memory_room(all->array, all->count, sizeof *all->array);
	all->array[all->count] = (struct communicator){.identity = identity, .leader = leader, .name = ""};
	return &all->array[all->count++];
}

static void define(struct communicators *all, uint32_t experiment, const struct log_event *event)
{
	const char *identity = log_event_attribute(event, "identity"), *made_by = log_event_attribute(event, "made_by");
	struct communicator *own = find(all, identity ? identity : "", mpi_number(event, "leader"));
	own->made_by = made_by ? made_by : "";
	own->size = mpi_number(event, "size");
	own->remote_size = mpi_number(event, "remote_size");
	own->number = mpi_number(event, "number");
	own->experiment = experiment;
	own->members++;
}

static void name(struct communicators *all, uint32_t experiment, const struct log_event *event)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->array[i].experiment == experiment && all->array[i].number == mpi_number(event, "number"))
			all->array[i].name = event->text;
}

static void read_all(struct communicators *all, const struct data *data)
{
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (size_t i = 0; i < file->event_count; i++) {
			if (!strcmp(file->events[i].kind, "mpi_communicator"))
				define(all, e, &file->events[i]);
			else if (!strcmp(file->events[i].kind, "mpi_name"))
				name(all, e, &file->events[i]);
		}
	}
}

static void add_column(struct table *table, const char *heading, enum column_format format)
{
	table_group(table, heading, "", heading);
	table_column(table, format);
}

bool command_mpi_comms(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct communicators all = {0};
	struct table table = {0};
	read_all(&all, session->data);
	if (!all.count)
		return session_error(session, "No MPI communicators were recorded");
	table_preamble(
		&table, "MPI communicators: size, remote size, members that were recorded, leader in MPI_COMM_WORLD");
	table_preamble(&table, "");
	add_column(&table, "Size", COLUMN_COUNT);
	add_column(&table, "Remote Size", COLUMN_COUNT);
	add_column(&table, "Members", COLUMN_COUNT);
	add_column(&table, "Leader", COLUMN_COUNT);
	add_column(&table, "Identity, made by, name", COLUMN_TEXT);
	for (size_t i = 0; i < all.count; i++) {
		const struct communicator *own = &all.array[i];
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[0], own->size);
		cell_number(&cells[1], own->remote_size);
		cell_number(&cells[2], own->members);
		cell_number(&cells[3], own->leader);
		cells[4] = (struct cell){.shown = true,
			.text = table_text(&table, "%s  %s  %s", *own->identity ? own->identity : "?",
				*own->made_by ? own->made_by : "?", own->name)};
	}
	session_print(session, &table);
	free(all.array);
	return true;
}
