/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The communicators of all ranks: those of one identity are one. */
#include "command_functions.h"
#include "mpi_world.h"

#include <inttypes.h>

static void add_row(struct table *table, uint32_t number, const struct mpi_communicator *own)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[0], number);
	cell_number(&cells[1], own->size);
	cell_number(&cells[2], own->remote_size);
	cell_number(&cells[3], own->members);
	if (own->leader != NO_LEADER)
		cell_number(&cells[4], own->leader);
	cell_words(&cells[5], table_text(table, "%s  %s  %s", *own->identity ? own->identity : "?",
				      *own->made_by ? own->made_by : "?", own->name));
}

bool command_mpi_comms(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	struct mpi_world *world = mpi_world_read(session->data);
	uint32_t count = mpi_world_count(world);
	if (!count) {
		mpi_world_free(world);
		return session_error(session, "No MPI communicators were recorded");
	}
	table_preamble(&table, "MPI communicators: number (MCOMM), size, remote size, members that were recorded, "
			       "leader in MPI_COMM_WORLD");
	table_preamble(&table, "");
	table_headed(&table, "Number", COLUMN_COUNT);
	table_headed(&table, "Size", COLUMN_COUNT);
	table_headed(&table, "Remote Size", COLUMN_COUNT);
	table_headed(&table, "Members", COLUMN_COUNT);
	table_headed(&table, "Leader", COLUMN_COUNT);
	table_headed(&table, "Identity, made by, name", COLUMN_TEXT);
	for (uint32_t c = 0; c < count; c++)
		add_row(&table, c + 1, mpi_world_communicator(world, c));
	session_print(session, &table);
	mpi_world_free(world);
	return true;
}
