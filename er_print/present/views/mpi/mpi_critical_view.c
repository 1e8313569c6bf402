/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical path of an MPI run: where it went, and what was done there. */
#include "command_functions.h"
#include "mpi_critical_sums.h"
#include "mpi_names.h"
#include "search.h"

#include <inttypes.h>
#include <stdlib.h>

static void begin_table(struct table *table, const char *title, const struct table_heading *columns, unsigned count)
{
	table_preamble(table, title);
	table_preamble(table, "");
	table_headings(table, columns, count);
}

static void show_processes(struct session *session, const struct mpi_path_sums *sums)
{
	enum { PATH, MPI, CPU, ALL_CPU, STRETCHES, RANK };
	static const struct table_heading columns[] = {[PATH] = {"Path Time", COLUMN_TIME},
		[MPI] = {"Path MPI Time", COLUMN_TIME},
		[CPU] = {"Path CPU Time", COLUMN_TIME},
		[ALL_CPU] = {"Total CPU Time", COLUMN_TIME},
		[STRETCHES] = {"Stretches", COLUMN_COUNT},
		[RANK] = {"Rank", COLUMN_TEXT}};
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	uint64_t length = 0, stretches = 0;
	for (uint32_t i = 0; i < sums->process_count; i++)
		length += sums->processes[i].path, stretches += sums->processes[i].stretches;
	begin_table(&table,
		table_text(&table, "Critical path of MPI: %.3f seconds in %" PRIu64 " stretches; by rank",
			(double)length * 1e-9, stretches),
		columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < sums->process_count; i++) {
		const struct mpi_path_sum *sum = &sums->processes[i];
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[PATH], sum->path);
		cell_number(&cells[MPI], sum->mpi);
		cell_number(&cells[CPU], sum->cpu);
		cell_number(&cells[ALL_CPU], sum->all_cpu);
		cell_number(&cells[STRETCHES], sum->stretches);
		cell_words(&cells[RANK], mpi_process_name(&names, sum->key));
	}
	session_print(session, &table);
	free(names.text);
}

static uint64_t larger(const struct mpi_path_sum *sum)
{
	return sum->mpi > sum->cpu ? sum->mpi : sum->cpu;
}

static int by_time(const void *left, const void *right)
{
	const struct mpi_path_sum *a = left, *b = right;
	return COMPARE(larger(b), larger(a)) ?: COMPARE(a->key, b->key);
}

static void show_functions(struct session *session, const struct mpi_path_sums *sums)
{
	enum { MPI, CPU, MEAN, NAME };
	static const struct table_heading columns[] = {[MPI] = {"Path MPI Time", COLUMN_TIME},
		[CPU] = {"Path CPU Time", COLUMN_TIME},
		[MEAN] = {"CPU Time per Rank", COLUMN_TIME},
		[NAME] = {"Function", COLUMN_TEXT}};
	struct table table = {0};
	uint32_t shown = 0;
	if (sums->function_count)
		qsort(sums->functions, sums->function_count, sizeof *sums->functions, by_time);
	begin_table(&table, "By function: what is far above the mean of all ranks is what makes the others wait",
		columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < sums->function_count && (!session->limit || shown < session->limit); i++) {
		const struct mpi_path_sum *sum = &sums->functions[i];
		if (!larger(sum))
			break;
		struct cell *cells = table_row(&table, ROW_PLAIN);
		shown++;
		cell_number(&cells[MPI], sum->mpi);
		cell_number(&cells[CPU], sum->cpu);
		cell_number(&cells[MEAN], sums->ranks ? sum->all_cpu / sums->ranks : 0);
		cell_words(&cells[NAME], session_function_name(session, &table, sum->key));
	}
	table.limited = true;
	session_print(session, &table);
}

bool command_mpi_critical(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct error error;
	struct mpi_critical *path = mpi_critical_find(session->data);
	struct expression *leaf = expression_parse("LEAF", 0, 0, &error);
	bool right = path->count && leaf;
	if (right) {
		session_prepare(session, leaf);
		session_tell_names_apart(session);
		struct mpi_path_sums *sums = mpi_critical_sum(session->data, session_filter(session), path, leaf);
		show_processes(session, sums);
		session_another_report(session);
		show_functions(session, sums);
		mpi_critical_sums_free(sums);
	} else {
		session_error(session, "mpi_critical: %s", leaf ? "no MPI calls were recorded" : error.text);
	}
	expression_free(leaf);
	mpi_critical_free(path);
	return right;
}
