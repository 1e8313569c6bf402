/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between which MPI ranks how many messages went, and how fast. */
#include "command_functions.h"
#include "mpi_names.h"
#include "mpi_pairs.h"

#include <stdlib.h>

enum { SENDS, SENT, RECEIVES, RECEIVED, SHORTEST, MEAN, BANDWIDTH, SOURCE, DESTINATION, COLUMNS };

static void add_row(struct table *table, const struct mpi_pair *pair, const char *source, const char *destination)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[SENDS], pair->sends);
	cell_number(&cells[SENT], pair->sent);
	cell_number(&cells[RECEIVES], pair->receives);
	cell_number(&cells[RECEIVED], pair->received);
	cell_words(&cells[SOURCE], source);
	cell_words(&cells[DESTINATION], destination);
	if (!pair->timed)
		return;
	cell_number(&cells[SHORTEST], pair->shortest);
	cell_number(&cells[MEAN], pair->time / pair->timed);
	if (pair->bandwidth) /* millionths of MB/s, shown with three decimals */
		cell_number(&cells[BANDWIDTH], pair->bandwidth / 1000 * 1000);
}

static void add_rows(struct table *table, const struct mpi_pairs *pairs, const struct mpi_process_names *names)
{
	struct mpi_pair total = {0};
	for (uint32_t i = 0; i < pairs->count; i++)
		mpi_pair_add(&total, &pairs->array[i]);
	add_row(table, &total, "<Total>", "");
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct mpi_pair *pair = &pairs->array[i];
		add_row(table, pair, mpi_process_name(names, pair->source), mpi_process_name(names, pair->destination));
	}
}

bool command_mpi_matrix(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading columns[COLUMNS] = {[SENDS] = {"MPI Sends", COLUMN_COUNT},
		[SENT] = {"MPI Bytes Sent", COLUMN_COUNT},
		[RECEIVES] = {"MPI Receives", COLUMN_COUNT},
		[RECEIVED] = {"MPI Bytes Received", COLUMN_COUNT},
		[SHORTEST] = {"Shortest Latency", COLUMN_MOMENT},
		[MEAN] = {"Mean Latency", COLUMN_MOMENT},
		[BANDWIDTH] = {"Best MB/s", COLUMN_DECIMAL},
		[SOURCE] = {"Source", COLUMN_TEXT},
		[DESTINATION] = {"Destination", COLUMN_TEXT}};
	(void)argc, (void)argv;
	struct mpi_pairs pairs;
	if (!mpi_pairs_read(session->data, session_filter(session), &pairs))
		return session_error(session, MPI_NO_MESSAGES);
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	table_preamble(&table, "MPI messages by source and destination rank");
	table_preamble(&table, "");
	table_headings(&table, columns, COLUMNS);
	table_name_rows(&table, SOURCE, DESTINATION - SOURCE + 1);
	add_rows(&table, &pairs, &names);
	session_print(session, &table);
	free(names.text);
	free(pairs.array);
	return true;
}
