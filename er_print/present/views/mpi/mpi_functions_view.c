/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI by function, over all ranks. */
#include "command_functions.h"
#include "mpi_names.h"
#include "mpi_total_columns.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* A function over all ranks. */
struct function_row {
	const char *name, *class; /* class 0: all of them */
	uint64_t sums[MPI_TOTALS];
	uint64_t least, most; /* MPI Time of the ranks that called it */
	const struct experiment *slowest;
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

/* A rank that made these calls takes part in the least, the mean and the most. */
static void note_rank(struct function_row *row, const struct experiment *file, uint64_t time)
{
	if (!row->ranks || time < row->least)
		row->least = time;
	if (!row->ranks || time > row->most) {
		row->most = time;
		row->slowest = file;
	}
	row->ranks++;
}

static void add_rank(
	struct function_row *row, const struct experiment *file, const struct mpi_function_totals *function)
{
	uint64_t before = row->sums[MPI_TOTAL_time];
	mpi_totals_add(row->sums, file, function);
	note_rank(row, file, row->sums[MPI_TOTAL_time] - before);
}

static bool was_called(const struct experiment *file, const struct mpi_function_totals *function)
{
	uint64_t sums[MPI_TOTALS] = {0};
	mpi_totals_add(sums, file, function);
	return sums[MPI_TOTAL_calls] != 0;
}

static int by_time(const void *left, const void *right)
{
	const struct function_row *a = left, *b = right;
	return COMPARE(b->sums[MPI_TOTAL_time], a->sums[MPI_TOTAL_time]) ?: strcmp(a->name, b->name);
}

static void add_function_row(struct table *table, const struct function_row *row)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	mpi_total_columns_fill(cells, row->sums);
	cell_number(&cells[MPI_TOTAL_COLUMNS], row->least);
	cell_number(&cells[MPI_TOTAL_COLUMNS + 1], row->sums[MPI_TOTAL_time] / row->ranks);
	cell_number(&cells[MPI_TOTAL_COLUMNS + 2], row->most);
	cell_words(&cells[MPI_TOTAL_COLUMNS + 3], mpi_rank_name(table, row->slowest));
	cells[MPI_TOTAL_COLUMNS + 4] = (struct cell){
		.shown = true, .text = row->class ? table_text(table, "%s  (%s)", row->name, row->class) : row->name};
}

/* All functions of each rank together. */
static void add_total(const struct session *session, struct table *table)
{
	struct function_row total = {.name = "<Total>"};
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		uint64_t before = total.sums[MPI_TOTAL_time];
		if (mpi_totals_add_process(session, e, total.sums))
			note_rank(&total, file, total.sums[MPI_TOTAL_time] - before);
	}
	if (total.ranks)
		add_function_row(table, &total);
}

bool command_mpi_functions(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {0};
	struct function_row *rows = 0;
	unsigned count = 0;
	if (!mpi_totals_recorded(session))
		return false;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		for (unsigned f = 0; f < file->mpi_function_count && session_shows_experiment(session, e); f++) {
			const struct mpi_function_totals *function = &file->mpi_functions[f];
			if (was_called(file, function))
				add_rank(row_of(&rows, &count, function->name, function->class), file, function);
		}
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_time);
	table_preamble(&table,
		"MPI totals by function, sorted by MPI Time; least, mean and most MPI Time of a rank that called it");
	mpi_totals_say_more(session, &table);
	table_preamble(&table, "");
	mpi_total_columns_add(&table);
	table_headed(&table, "Least", COLUMN_TIME);
	table_headed(&table, "Mean", COLUMN_TIME);
	table_headed(&table, "Most", COLUMN_TIME);
	table_headed(&table, "of Rank", COLUMN_TEXT);
	table_headed(&table, "Function", COLUMN_TEXT);
	add_total(session, &table);
	for (unsigned i = 0; i < count; i++)
		add_function_row(&table, &rows[i]);
	free(rows);
	session_print(session, &table);
	return true;
}
