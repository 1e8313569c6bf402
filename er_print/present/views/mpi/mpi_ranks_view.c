/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI by rank. */
#include "command_functions.h"
#include "mpi_names.h"
#include "mpi_total_columns.h"

enum { RANK = MPI_TOTAL_COLUMNS, EXPERIMENT, HOST };

static void add_row(
	struct table *table, const uint64_t *sums, const char *rank, const char *experiment, const char *host)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	mpi_total_columns_fill(cells, sums);
	cell_words(&cells[RANK], rank);
	cell_words(&cells[EXPERIMENT], experiment);
	cell_words(&cells[HOST], host);
}

bool command_mpi_ranks(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	uint64_t all[MPI_TOTALS] = {0};
	if (!mpi_totals_recorded(session))
		return false;
	table_preamble(&table, "MPI totals by rank");
	mpi_totals_say_more(session, &table);
	table_preamble(&table, "");
	mpi_total_columns_add(&table);
	table_headed(&table, "Rank", COLUMN_TEXT);
	table_headed(&table, "Experiment", COLUMN_TEXT);
	table_headed(&table, "Host", COLUMN_TEXT);
	table_name_rows(&table, RANK, HOST - RANK + 1);
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		mpi_totals_add_process(session, e, all);
	add_row(&table, all, "<Total>", "", "");
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		uint64_t sums[MPI_TOTALS] = {0};
		if (mpi_totals_add_process(session, e, sums))
			add_row(&table, sums, mpi_rank_name(&table, file), file->name, file->system->host);
	}
	session_print(session, &table);
	return true;
}
