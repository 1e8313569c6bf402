/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI by rank, by function and by communicator. The numbers of ranks and functions are the totals that each process
   kept, which are exact also where events were lost; no filter applies to them. */
#include "commands.h"
#include "mpi_ranks.h"
#include "plain_text.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct total_column {
	const char *heading;
	enum mpi_total total;
	enum column_format format;
} total_columns[] = {
	{"Calls", MPI_TOTAL_calls, COLUMN_COUNT},
	{"MPI Time", MPI_TOTAL_time, COLUMN_TIME},
	{"MPI Sends", MPI_TOTAL_sends, COLUMN_COUNT},
	{"MPI Bytes Sent", MPI_TOTAL_sent, COLUMN_COUNT},
	{"MPI Receives", MPI_TOTAL_receives, COLUMN_COUNT},
	{"MPI Bytes Received", MPI_TOTAL_received, COLUMN_COUNT},
	{"Other MPI Events", MPI_TOTAL_other, COLUMN_COUNT},
};
enum { TOTAL_COLUMNS = sizeof total_columns / sizeof *total_columns };

static void add_total_columns(struct table *table)
{
	for (unsigned i = 0; i < TOTAL_COLUMNS; i++)
		table_headed(table, total_columns[i].heading, total_columns[i].format);
}

static void fill_totals(struct cell *cells, const uint64_t *totals)
{
	for (unsigned i = 0; i < TOTAL_COLUMNS; i++)
		cell_number(&cells[i], totals[total_columns[i].total]);
}

static void add_totals(uint64_t *sums, const struct experiment *file, const struct mpi_function_totals *function)
{
	for (unsigned t = 0; t < MPI_TOTALS; t++)
		sums[t] += t == MPI_TOTAL_time ? mpi_nanoseconds(file, function->total[t]) : function->total[t];
}

static bool recorded(struct session *session)
{
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		if (session->data->experiments[e].file->mpi_function_count)
			return true;
	return session_error(session, "No MPI calls were recorded");
}

static void say_unfiltered(const struct session *session, struct table *table)
{
	if (session->filter.expression || !selection_is_all(&session->selection))
		table_footnote(table, "The ranks kept these totals: no filter or selection holds for them.");
}

bool command_mpi_ranks(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	if (!recorded(session))
		return false;
	table_preamble(&table, "MPI totals by rank");
	say_unfiltered(session, &table);
	table_preamble(&table, "");
	add_total_columns(&table);
	table_headed(&table, "Rank", COLUMN_TEXT);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct loaded_experiment *loaded = &session->data->experiments[e];
		uint64_t sums[MPI_TOTALS] = {0};
		if (!loaded->file->mpi_function_count)
			continue;
		for (unsigned f = 0; f < loaded->file->mpi_function_count; f++)
			add_totals(sums, loaded->file, &loaded->file->mpi_functions[f]);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		fill_totals(cells, sums);
		cells[TOTAL_COLUMNS] = (struct cell){.shown = true,
			.text = table_text(&table, "%" PRIu64 "  %s  %s", mpi_rank_of(loaded->file), loaded->file->name,
				loaded->file->system.host)};
	}
	session_print(session, &table);
	return true;
}

/* A function over all ranks. */
struct function_row {
	const char *name, *class;
	uint64_t sums[MPI_TOTALS];
	uint64_t least, most, most_rank; /* MPI Time of the ranks that called it */
	uint64_t ranks;
};

static struct function_row *row_of(struct function_row **rows, unsigned *count, const char *name, const char *class)
{
	for (unsigned i = 0; i < *count; i++)
		if (!strcmp((*rows)[i].name, name))
			return &(*rows)[i];
	*rows = memory_room(*rows, *count, sizeof **rows);
	(*rows)[*count] = (struct function_row){.name = name, .class = class};
	return &(*rows)[(*count)++];
}

static void add_rank(
	struct function_row *row, const struct experiment *file, const struct mpi_function_totals *function)
{
	uint64_t time = mpi_nanoseconds(file, function->total[MPI_TOTAL_time]);
	add_totals(row->sums, file, function);
	if (!row->ranks || time < row->least)
		row->least = time;
	if (!row->ranks || time > row->most) {
		row->most = time;
		row->most_rank = mpi_rank_of(file);
	}
	row->ranks++;
}

static int by_time(const void *left, const void *right)
{
	const struct function_row *a = left, *b = right;
	uint64_t a_time = a->sums[MPI_TOTAL_time], b_time = b->sums[MPI_TOTAL_time];
	return a_time != b_time ? (a_time < b_time ? 1 : -1) : strcmp(a->name, b->name);
}

static void add_function_row(struct table *table, const struct function_row *row)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	fill_totals(cells, row->sums);
	cell_number(&cells[TOTAL_COLUMNS], row->least);
	cell_number(&cells[TOTAL_COLUMNS + 1], row->sums[MPI_TOTAL_time] / row->ranks);
	cell_number(&cells[TOTAL_COLUMNS + 2], row->most);
	cell_number(&cells[TOTAL_COLUMNS + 3], row->most_rank);
	cells[TOTAL_COLUMNS + 4] =
		(struct cell){.shown = true, .text = table_text(table, "%s  (%s)", row->name, row->class)};
}

bool command_mpi_functions(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	struct function_row *rows = 0;
	unsigned count = 0;
	if (!recorded(session))
		return false;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		for (unsigned f = 0; f < file->mpi_function_count; f++) {
			const struct mpi_function_totals *function = &file->mpi_functions[f];
			if (function->total[MPI_TOTAL_calls])
				add_rank(row_of(&rows, &count, function->name, function->class), file, function);
		}
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_time);
	table_preamble(&table,
		"MPI totals by function, sorted by MPI Time; least, mean and most MPI Time of a rank that called it");
	say_unfiltered(session, &table);
	table_preamble(&table, "");
	add_total_columns(&table);
	table_headed(&table, "Least", COLUMN_TIME);
	table_headed(&table, "Mean", COLUMN_TIME);
	table_headed(&table, "Most", COLUMN_TIME);
	table_headed(&table, "of Rank", COLUMN_COUNT);
	table_headed(&table, "Function", COLUMN_TEXT);
	for (unsigned i = 0; i < count; i++)
		add_function_row(&table, &rows[i]);
	free(rows);
	session_print(session, &table);
	return true;
}
