/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command OMP_preg: each parallel region of OpenMP, by where in the code it begins. */
#include "command_functions.h"
#include "omp_names.h"
#include "omp_regions.h"
#include "session.h"

#include <inttypes.h>

enum column_number { CALLS, THREADS, TIME, WORK, WAIT, IMBALANCE, NAME };
static const struct table_heading headings[] = {
	[CALLS] = {"Calls", COLUMN_COUNT},
	[THREADS] = {"Threads", COLUMN_RATIO},
	[TIME] = {"Time", COLUMN_TIME},
	[WORK] = {"Work", COLUMN_TIME},
	[WAIT] = {"Wait", COLUMN_TIME},
	[IMBALANCE] = {"Imbalance", COLUMN_RATIO},
	[NAME] = {"Parallel Region", COLUMN_TEXT},
};

static void add_row(struct table *table, const struct omp_sums *sums, const char *name)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[CALLS], sums->calls);
	cell_pair(&cells[THREADS], sums->members, sums->calls);
	cell_number(&cells[TIME], sums->time);
	cell_number(&cells[WORK], sums->work);
	cell_number(&cells[WAIT], sums->wait);
	cell_pair(&cells[IMBALANCE], (uint64_t)sums->largest, (uint64_t)sums->mean);
	cell_words(&cells[NAME], name);
}

bool command_OMP_preg(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {.fit_times = true, .limited = true};
	struct omp_regions *regions = omp_regions_read(session->data, session_filter(session), session->resolver);
	if (!regions->recorded) {
		omp_regions_free(regions);
		return omp_refuse(session, "parallel regions");
	}
	session_tell_names_apart(session);
	table_preamble(&table, "Parallel regions of OpenMP by work and wait");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	if (regions->unfinished)
		table_footnote(&table, table_text(&table, "%" PRIu64 " %s had not ended when recording did",
					       regions->unfinished, regions->unfinished == 1 ? "call" : "calls"));
	add_row(&table, &regions->total, session_plain_name(session, &table, FUNCTION_TOTAL));
	for (uint32_t i = 0; i < regions->site_count && (!session->limit || i + 1 < session->limit); i++)
		add_row(&table, &regions->sites[i].sums,
			omp_site_name(session, &table, &regions->sites[i].site, "parallel region"));
	session_print(session, &table);
	omp_regions_free(regions);
	return true;
}
