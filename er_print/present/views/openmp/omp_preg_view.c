/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command OMP_preg: each parallel region of OpenMP, by where in the code it begins. */
#include "command_functions.h"
#include "omp_regions.h"
#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Where only the call is known, it may be in another region's function: then the name is that of the function of both. */
static const char *site_name(struct session *session, struct table *table, const struct omp_site *site)
{
	const struct function *function = resolver_function(session->resolver, site->function);
	uint32_t line = site->line ? resolver_line(session->resolver, site->line)->line : 0;
	uint32_t origin = !site->outlined && function->outlined_of ? function->outlined_of : site->function;
	const char *name = session_function_name(session, table, origin);
	if (site->outlined && !function->outlined_of)
		return line ? session_line_name(session, table, site->line) : name;
	if (site->outlined)
		return name;
	return line ? table_text(table, "%s -- OMP parallel region from line %" PRIu32, name, line)
		    : table_text(table, "%s -- OMP parallel region", name);
}

static bool is_run_time(const char *object)
{
	static const char *const names[] = {"<libgomp", "<libomp", "<libiomp"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(object, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* A load object with libgomp in it, whose regions nobody sees; 0: there is none. */
static const char *static_run_time(struct session *session)
{
	uint32_t count;
	uint32_t *named = resolver_functions_named(session->resolver, "GOMP_parallel", &count);
	const char *found = 0;
	for (uint32_t i = 0; i < count && !found; i++) {
		const struct function *function = resolver_function(session->resolver, named[i]);
		const char *name = resolver_object_name(session->resolver, function->object);
		if (!function->artificial && !is_run_time(name))
			found = name;
	}
	free(named);
	return found;
}

/* Whether it was asked for in any experiment. */
static bool was_wanted(const struct session *session)
{
	for (uint32_t e = 0; e < session->data->experiment_count; e++)
		if (session->data->experiments[e].file->settings->openmp)
			return true;
	return false;
}

static bool refuse(struct session *session)
{
	const char *name = was_wanted(session) ? static_run_time(session) : 0;
	if (name)
		return session_error(session,
			"No parallel regions of OpenMP were recorded: %s has libgomp linked statically, where collect "
			"cannot see them",
			name);
	return session_error(session,
		was_wanted(session) ? "No parallel regions of OpenMP were recorded"
				    : "No parallel regions of OpenMP were recorded: collect -u on records them");
}

bool command_OMP_preg(struct session *session, unsigned argc, char **argv)
{
	(void)argc, (void)argv;
	struct table table = {.fit_times = true, .limited = true};
	struct omp_regions *regions = omp_regions_read(session->data, session_filter(session), session->resolver);
	if (!regions->recorded) {
		omp_regions_free(regions);
		return refuse(session);
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
		add_row(&table, &regions->sites[i].sums, site_name(session, &table, &regions->sites[i]));
	session_print(session, &table);
	omp_regions_free(regions);
	return true;
}
