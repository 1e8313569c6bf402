/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command OMP_wait: the waits inside of parallel regions of OpenMP, by construct and place. */
#include "command_functions.h"
#include "omp_names.h"
#include "omp_waits.h"
#include "session.h"

enum column_number { WAITS, THREADS, TIME, MEAN, NAME };
static const struct table_heading headings[] = {
	[WAITS] = {"Waits", COLUMN_COUNT},
	[THREADS] = {"Threads", COLUMN_COUNT},
	[TIME] = {"Time", COLUMN_TIME},
	[MEAN] = {"Mean", COLUMN_TIME},
	[NAME] = {"Wait", COLUMN_TEXT},
};

static const char *const constructs[] = {
	"wait",
	[STATE_VALUE(OPENMP, construct, implicit_barrier)] = "implicit barrier",
	[STATE_VALUE(OPENMP, construct, explicit_barrier)] = "barrier",
	[STATE_VALUE(OPENMP, construct, reduction)] = "reduction",
	[STATE_VALUE(OPENMP, construct, critical)] = "critical section",
	[STATE_VALUE(OPENMP, construct, lock)] = "lock",
	[STATE_VALUE(OPENMP, construct, ordered)] = "ordered section",
	[STATE_VALUE(OPENMP, construct, atomic)] = "atomic operation",
	[STATE_VALUE(OPENMP, construct, taskwait)] = "taskwait",
	[STATE_VALUE(OPENMP, construct, taskgroup)] = "taskgroup",
	[STATE_VALUE(OPENMP, construct, doacross)] = "doacross wait",
	[STATE_VALUE(OPENMP, construct, single)] = "single copy",
	[STATE_VALUE(OPENMP, construct, internal_barrier)] = "reduction or single copy",
};

static void add_row(struct table *table, const struct omp_wait_sums *sums, const char *name)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[WAITS], sums->waits);
	cell_number(&cells[THREADS], sums->threads);
	cell_number(&cells[TIME], sums->time);
	cell_number(&cells[MEAN], sums->waits ? sums->time / sums->waits : 0);
	cell_words(&cells[NAME], name);
}

static bool any_wait(struct session *session)
{
	struct omp_waits *all = omp_waits_read(session->data, 0, session->resolver);
	bool any = all->total.waits != 0;
	omp_waits_free(all);
	return any;
}

bool command_OMP_wait(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {.fit_times = true, .limited = true};
	struct omp_waits *waits = omp_waits_read(session->data, session_filter(session), session->resolver);
	if (!waits->total.waits && !any_wait(session)) {
		omp_waits_free(waits);
		return omp_refuse(session, "waits");
	}
	session_tell_names_apart(session);
	table_preamble(&table, "Waits in parallel regions of OpenMP by time");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	add_row(&table, &waits->total, session_plain_name(session, &table, FUNCTION_TOTAL));
	for (uint32_t i = 0; i < waits->site_count && (!session->limit || i + 1 < session->limit); i++) {
		const struct omp_wait_site *at = &waits->sites[i];
		add_row(&table, &at->sums, omp_wait_name(session, &table, &at->site, constructs[at->construct]));
	}
	session_print(session, &table);
	omp_waits_free(waits);
	return true;
}
