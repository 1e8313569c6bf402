/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI by rank. */
#include "command_functions.h"
#include "mpi_ranks.h"
#include "mpi_total_columns.h"

#include <inttypes.h>

bool command_mpi_ranks(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	if (!mpi_totals_recorded(session))
		return false;
	table_preamble(&table, "MPI totals by rank");
	mpi_totals_say_unfiltered(session, &table);
	table_preamble(&table, "");
	mpi_total_columns_add(&table);
	table_headed(&table, "Rank", COLUMN_TEXT);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct loaded_experiment *loaded = &session->data->experiments[e];
		uint64_t sums[MPI_TOTALS] = {0};
		if (!loaded->file->mpi_function_count || !session_shows_experiment(session, e))
			continue;
		for (unsigned f = 0; f < loaded->file->mpi_function_count; f++)
			mpi_totals_add(sums, loaded->file, &loaded->file->mpi_functions[f]);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		mpi_total_columns_fill(cells, sums);
		cells[MPI_TOTAL_COLUMNS] = (struct cell){.shown = true,
			.text = table_text(&table, "%" PRIu64 "  %s  %s", mpi_rank_of(loaded->file), loaded->file->name,
				loaded->file->system->host)};
	}
	session_print(session, &table);
	return true;
}
