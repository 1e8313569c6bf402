/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of regions and tasks by their functions, or else by the lines of their calls. */
#include "omp_names.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where only the call is known, it may be in another region's function: then the name is that of the function of both. */
const char *omp_site_name(struct session *session, struct table *table, const struct omp_site *site, const char *what)
{
	const struct function *function = resolver_function(session->resolver, site->function);
	uint32_t line = site->line ? resolver_line(session->resolver, site->line)->line : 0;
	uint32_t origin = !site->outlined && function->outlined_of ? function->outlined_of : site->function;
	const char *name = session_function_name(session, table, origin);
	if (site->outlined && !function->outlined_of)
		return line ? session_line_name(session, table, site->line) : name;
	if (site->outlined)
		return name;
	return line ? table_text(table, "%s -- OMP %s from line %" PRIu32, name, what, line)
		    : table_text(table, "%s -- OMP %s", name, what);
}

const char *omp_wait_name(struct session *session, struct table *table, const struct omp_site *site, const char *what)
{
	const struct function *function = resolver_function(session->resolver, site->function);
	if (!site->outlined || !function->outlined_of)
		return omp_site_name(session, table, site, what);
	/* The name says whose region or task it is, but for the compiler's own, which does not. */
	const char *name = session_function_name(session, table, site->function), *end = strstr(name, " -- OMP ");
	int length = (int)(end ? end - name : (ptrdiff_t)strlen(name));
	return table_text(table, "%.*s -- OMP %s that ends [%s]", length, name, what, function->mangled);
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

bool omp_refuse(struct session *session, const char *what)
{
	bool wanted = was_wanted(session);
	const char *name = wanted ? static_run_time(session) : 0;
	if (name)
		return session_error(session,
			"No %s of OpenMP were recorded: %s has libgomp linked statically, where collect cannot see "
			"them",
			what, name);
	return session_error(
		session, "No %s of OpenMP were recorded%s", what, wanted ? "" : ": collect -u on records them");
}
