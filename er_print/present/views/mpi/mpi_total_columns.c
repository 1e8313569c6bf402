/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of MPI totals: see mpi_total_columns.h. */
#include "mpi_total_columns.h"
#include "mpi_ranks.h"

#include <string.h>

static const struct total_column {
	const char *heading;
	enum mpi_total total;
	enum column_format format;
} total_columns[MPI_TOTAL_COLUMNS] = {
	{"Calls", MPI_TOTAL_calls, COLUMN_COUNT},
	{"MPI Time", MPI_TOTAL_time, COLUMN_TIME},
	{"MPI Sends", MPI_TOTAL_sends, COLUMN_COUNT},
	{"MPI Bytes Sent", MPI_TOTAL_sent, COLUMN_COUNT},
	{"MPI Receives", MPI_TOTAL_receives, COLUMN_COUNT},
	{"MPI Bytes Received", MPI_TOTAL_received, COLUMN_COUNT},
	{"Other MPI Events", MPI_TOTAL_other, COLUMN_COUNT},
};
void mpi_total_columns_add(struct table *table)
{
	for (unsigned i = 0; i < MPI_TOTAL_COLUMNS; i++)
		table_headed(table, total_columns[i].heading, total_columns[i].format);
}

void mpi_total_columns_fill(struct cell *cells, const uint64_t *totals)
{
	for (unsigned i = 0; i < MPI_TOTAL_COLUMNS; i++)
		cell_number(&cells[i], totals[total_columns[i].total]);
}

/* Adds the calls of a function that had not returned, with their time until then. */
static void add_open_calls(uint64_t *sums, const struct experiment *file, const struct mpi_function_totals *function)
{
	for (unsigned i = 0; i < file->mpi_open_call_count; i++) {
		const uint64_t *value = file->mpi_open_calls[i].value;
		uint64_t start = value[MPI_PROGRESS_start];
		if (&file->mpi_functions[value[MPI_PROGRESS_function] - 1] != function)
			continue;
		/* MPI_Abort counts when it begins, for it never returns. */
		sums[MPI_TOTAL_calls] += strcmp(function->name, "MPI_Abort") != 0;
		sums[MPI_TOTAL_time] += file->end.raw > start ? mpi_nanoseconds(file, file->end.raw - start) : 0;
	}
}

void mpi_totals_add(uint64_t *sums, const struct experiment *file, const struct mpi_function_totals *function)
{
	for (unsigned t = 0; t < MPI_TOTALS; t++)
		sums[t] += t == MPI_TOTAL_time ? mpi_nanoseconds(file, function->total[t]) : function->total[t];
	add_open_calls(sums, file, function);
}

bool mpi_totals_add_process(const struct session *session, uint32_t experiment, uint64_t *sums)
{
	const struct experiment *file = session->data->experiments[experiment].file;
	if (!file->mpi_function_count || !session_shows_experiment(session, experiment))
		return false;
	for (unsigned f = 0; f < file->mpi_function_count; f++)
		mpi_totals_add(sums, file, &file->mpi_functions[f]);
	return true;
}

bool mpi_totals_recorded(struct session *session)
{
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		if (session->data->experiments[e].file->mpi_function_count)
			return true;
	return session_error(session, "No MPI calls were recorded");
}

void mpi_totals_say_more(const struct session *session, struct table *table)
{
	unsigned open = 0;
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		open += session_shows_experiment(session, e) ? session->data->experiments[e].file->mpi_open_call_count
							     : 0;
	if (open)
		table_footnote(
			table, table_text(table,
				       "Calls that had not returned when the recording ended: %u; they count with "
				       "their time until then.",
				       open));
	if (session->filter.expression || !selection_is_all(&session->selection))
		table_footnote(table, "The ranks kept these totals: no filter or selection holds for them.");
}
