/* SPDX-License-Identifier: Apache-2.0 */
/* Looking a counter's name up in the tables, one after the other. */
#include "counter_event.h"
#include "counter_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* perf's :u, :k, :h and :p at a name's end, taken off it. */
static bool take_modifiers(char *name, uint64_t *modes, uint64_t *precise)
{
	char *colon = strrchr(name, ':');
	if (!colon || !colon[1] || strspn(colon + 1, "ukhpP") != strlen(colon + 1))
		return false;
	for (const char *letter = colon + 1; *letter; letter++) {
		*modes |= *letter == 'u'   ? MODE_USER
			  : *letter == 'k' ? MODE_KERNEL
			  : *letter == 'h' ? MODE_HYPERVISOR
					   : 0;
		*precise += *letter == 'p' && *precise < 3;
		if (*letter == 'P')
			*precise = 3;
	}
	*colon = '\0';
	return true;
}

/* User mode alone unless the attributes or perf's modifiers say something else. */
static uint64_t modes_of(const struct counter_request *request, uint64_t modifiers)
{
	uint64_t modes = modifiers ? modifiers : MODE_USER;
	modes = counter_request_attribute(request, "user", modes & MODE_USER) ? modes | MODE_USER
									      : modes & ~(uint64_t)MODE_USER;
	return counter_request_attribute(request, "system", modes & MODE_KERNEL) ? modes | MODE_KERNEL
										 : modes & ~(uint64_t)MODE_KERNEL;
}

static bool look_up(const struct counter_request *request, const char *name, struct counter_found *found)
{
	static bool (*const tables[])(const struct counter_request *, const char *, struct counter_found *) = {
		software_event_find,
		counter_alias_find,
		tracepoint_find,
		raw_event_find,
		library_event_find,
	};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		*found = (struct counter_found){.error = {""}};
		if (tables[i](request, name, found) || found->error.text[0])
			return !found->error.text[0];
	}
	return false;
}

/* A metric's name must not hold what the metric grammar separates by. */
static void name_metric(char *name)
{
	for (; *name; name++)
		if (strchr(":|;, \n", *name))
			*name = '.';
}

bool counter_event_find(const struct counter_request *request, struct overflow_counter *counter, uint64_t *interval,
	struct error *error)
{
	char name[sizeof request->name];
	uint64_t modifiers = 0, precise = 0;
	struct counter_found found;
	strcpy(name, request->name);
	bool known = look_up(request, name, &found);
	if (!known && !found.error.text[0] && take_modifiers(name, &modifiers, &precise))
		known = look_up(request, name, &found);
	if (!known && found.error.text[0]) {
		*error = found.error;
		return false;
	}
	if (!known)
		return counter_name_unknown(request->name, error);
	*counter = found.counter;
	*interval = found.interval;
	name_metric(counter->name);
	counter->modes = found.counter.modes ? found.counter.modes : modes_of(request, modifiers);
	if (!counter->modes)
		return error_set(
			error, "HW counter `%s': neither user nor system mode is to be counted", request->name);
	counter->precise_asked =
		counter_request_attribute(request, "precise", precise ? precise : counter->precise_asked);
	if (counter->precise_asked > 3)
		return error_set(error, "HW counter `%s': precise levels are 0 to 3", request->name);
	return true;
}
