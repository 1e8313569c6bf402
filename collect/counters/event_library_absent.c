/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a CPU's events where libpfm4 was not there when collect was built: none is known. */
#include "event_library.h"

const char *event_library_missing(void)
{
	return "collect was built without libpfm4, which knows the names of a CPU's events: install its development "
	       "files "
	       "(Debian: libpfm4-dev) and build it again";
}

const char *event_library_core_pmu(void)
{
	return 0;
}

const char *event_library_core_title(void)
{
	return 0;
}

unsigned event_library_core_counters(void)
{
	return 0;
}

bool event_library_encode(
	const char *event, const struct counter_request *request, struct overflow_counter *counter, struct error *error)
{
	(void)request, (void)counter;
	return error_set(error, "HW counter `%s': %s", event, event_library_missing());
}

bool event_library_knows(const char *event)
{
	(void)event;
	return false;
}

void event_library_visit(void (*f)(void *context, const char *event, const char *description), void *context)
{
	(void)f, (void)context;
}
