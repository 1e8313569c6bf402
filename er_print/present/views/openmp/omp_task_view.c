/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command OMP_task: the tasks of OpenMP, by where in the code they are created. */
#include "command_functions.h"
#include "omp_names.h"
#include "omp_tasks.h"
#include "session.h"

enum column_number { TASKS, THREADS, TIME, WORK, WAIT, MEAN, LONGEST, NAME };
static const struct table_heading headings[] = {
	[TASKS] = {"Tasks", COLUMN_COUNT},
	[THREADS] = {"Threads", COLUMN_COUNT},
	[TIME] = {"Time", COLUMN_TIME},
	[WORK] = {"Work", COLUMN_TIME},
	[WAIT] = {"Wait", COLUMN_TIME},
	[MEAN] = {"Mean", COLUMN_TIME},
	[LONGEST] = {"Longest", COLUMN_TIME},
	[NAME] = {"Task", COLUMN_TEXT},
};

static void add_row(struct table *table, const struct omp_task_sums *sums, const char *name)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[TASKS], sums->tasks);
	cell_number(&cells[THREADS], sums->threads);
	cell_number(&cells[TIME], sums->time);
	cell_number(&cells[WORK], sums->time - sums->wait);
	cell_number(&cells[WAIT], sums->wait);
	cell_number(&cells[MEAN], sums->tasks ? sums->time / sums->tasks : 0);
	cell_number(&cells[LONGEST], sums->longest);
	cell_words(&cells[NAME], name);
}

static bool any_task(struct session *session)
{
	struct omp_tasks *all = omp_tasks_read(session->data, 0, session->resolver);
	bool any = all->total.tasks != 0;
	omp_tasks_free(all);
	return any;
}

bool command_OMP_task(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {.fit_times = true, .limited = true};
	struct omp_tasks *tasks = omp_tasks_read(session->data, session_filter(session), session->resolver);
	if (!tasks->total.tasks && !any_task(session)) {
		omp_tasks_free(tasks);
		return omp_refuse(session, "tasks");
	}
	session_tell_names_apart(session);
	table_preamble(&table, "Tasks of OpenMP by time");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	add_row(&table, &tasks->total, session_plain_name(session, &table, FUNCTION_TOTAL));
	for (uint32_t i = 0; i < tasks->site_count && (!session->limit || i + 1 < session->limit); i++)
		add_row(&table, &tasks->sites[i].sums, omp_site_name(session, &table, &tasks->sites[i].site, "task"));
	session_print(session, &table);
	omp_tasks_free(tasks);
	return true;
}
