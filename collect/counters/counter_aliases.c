/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the event of an alias: by the table of the CPU's family, else by what the kernel knows of every CPU. */
#include "counter_aliases.h"
#include "counter_tables.h"
#include "event_library.h"
#include "word_list.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum family {
	FAMILY_NONE,
#define FAMILY(identifier, pmus) FAMILY_##identifier,
#include "counter_aliases.def"
};

static const struct counter_alias aliases[] = {
#define ALIAS(name, synonyms, title, units, interval) {name, synonyms, title, units, interval},
#include "counter_aliases.def"
};
#define ALIAS_COUNT (sizeof aliases / sizeof *aliases)

static const struct family_row {
	enum family family;
	const char *pmus;
} families[] = {
	{FAMILY_NONE, ""},
#define FAMILY(identifier, pmus) {FAMILY_##identifier, pmus},
#include "counter_aliases.def"
};

static const struct alias_event {
	enum family family;
	const char *alias, *event;
} events[] = {
	{FAMILY_NONE, "", ""},
#define EVENT(family, alias, event) {FAMILY_##family, alias, event},
#include "counter_aliases.def"
};

static const struct generic_event {
	const char *alias;
	uint32_t type;
	uint64_t config;
} generic_events[] = {
#define GENERIC(alias, type, config) {alias, type, config},
#include "counter_generic.def"
};

const struct counter_alias *counter_alias(unsigned index)
{
	return index < ALIAS_COUNT ? &aliases[index] : 0;
}

static enum family family_of_machine(void)
{
	const char *pmu = event_library_core_pmu();
	for (size_t i = 0; pmu && i < sizeof families / sizeof *families; i++)
		if (words_have(families[i].pmus, pmu))
			return families[i].family;
	return FAMILY_NONE;
}

static const struct generic_event *generic_of(const struct counter_alias *alias)
{
	for (size_t i = 0; i < sizeof generic_events / sizeof *generic_events; i++)
		if (strcmp(generic_events[i].alias, alias->name) == 0)
			return &generic_events[i];
	return 0;
}

static const char *family_event(const struct counter_alias *alias, enum family family)
{
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (events[i].family == family && strcmp(events[i].alias, alias->name) == 0)
			return events[i].event;
	return 0;
}

const char *counter_alias_event(const struct counter_alias *alias)
{
	enum family family = family_of_machine();
	if (family != FAMILY_NONE)
		return family_event(alias, family);
	return generic_of(alias) ? "(the kernel's general event)" : 0;
}

bool counter_alias_find(const struct counter_request *request, const char *name, struct counter_found *found)
{
	const struct counter_alias *alias = 0;
	if (strncasecmp(name, "perf::", 6) == 0)
		name += 6;
	for (size_t i = 0; i < ALIAS_COUNT && !alias; i++)
		if (strcasecmp(name, aliases[i].name) == 0 || words_have(aliases[i].synonyms, name))
			alias = &aliases[i];
	if (!alias)
		return false;
	enum family family = family_of_machine();
	const char *event = family == FAMILY_NONE ? 0 : family_event(alias, family);
	const struct generic_event *generic = family == FAMILY_NONE ? generic_of(alias) : 0;
	struct overflow_counter *counter = &found->counter;
	if (event) {
		if (!event_library_encode(event, request, counter, &found->error))
			return false;
	} else if (generic) {
		counter->type = generic->type;
		counter->config = generic->config;
		snprintf(counter->event, sizeof counter->event, "perf::%s", alias->name);
	} else {
		return error_set(
			&found->error, "HW counter `%s' (%s) is not available on this CPU", alias->name, alias->title);
	}
	snprintf(counter->name, sizeof counter->name, "%s", alias->name);
	snprintf(counter->title, sizeof counter->title, "%s", alias->title);
	counter->units = alias->units;
	found->interval = alias->interval;
	return true;
}
