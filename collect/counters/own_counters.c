/* SPDX-License-Identifier: Apache-2.0 */
/* The table own_counters.def as functions. */
#include "own_counters.h"
#include "word_list.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NO_SETTING SIZE_MAX

static const struct own_counter {
	const char *name, *synonyms;
	uint64_t type, config;
	enum counter_units units;
	size_t setting; /* offset in struct settings, or NO_SETTING */
	const char *option, *title;
} own[] = {
#define ACCOUNT(identifier, name, synonyms, units, title)                                                              \
	{name, synonyms, TYPE_ACCOUNT, ACCOUNT_##identifier, units, NO_SETTING, 0, title},
#define SUM(identifier, name, synonyms, units, setting, option, title)                                                 \
	{name, synonyms, TYPE_SUM, SUM_##identifier, units, offsetof(struct settings, setting), option, title},
#include "own_counters.def"
};
#define OWN_COUNT (sizeof own / sizeof *own)

bool own_counter_find(const char *name, struct overflow_counter *counter)
{
	for (size_t i = 0; i < OWN_COUNT; i++) {
		if (strcasecmp(name, own[i].name) != 0 && !words_have(own[i].synonyms, name))
			continue;
		*counter = (struct overflow_counter){.units = own[i].units,
			.type = own[i].type,
			.config = own[i].config,
			.modes = MODE_USER | MODE_KERNEL,
			.delivery = DELIVERY_READ};
		snprintf(counter->name, sizeof counter->name, "%s", own[i].name);
		snprintf(counter->title, sizeof counter->title, "%s", own[i].title);
		snprintf(counter->event, sizeof counter->event, "%s::%s",
			own[i].type == TYPE_ACCOUNT ? "getrusage" : "collect", own[i].name);
		return true;
	}
	return false;
}

static const struct own_counter *own_counter(const struct overflow_counter *counter)
{
	for (size_t i = 0; i < OWN_COUNT; i++)
		if (own[i].type == counter->type && own[i].config == counter->config)
			return &own[i];
	return 0;
}

bool own_counters_check(
	const struct overflow_counter *counters, unsigned count, const struct settings *settings, struct error *error)
{
	for (unsigned i = 0; i < count; i++) {
		const struct own_counter *row = own_counter(&counters[i]);
		uint64_t setting = 1;
		if (row && row->setting != NO_SETTING)
			memcpy(&setting, (const char *)settings + row->setting, sizeof setting);
		if (!setting)
			return error_set(error,
				"HW counter `=%s' adds up what is recorded with %s: give collect that option, too",
				row->name, row->option);
	}
	return true;
}

bool own_counter_row(unsigned index, struct own_counter_row *row)
{
	if (index >= OWN_COUNT)
		return false;
	*row = (struct own_counter_row){own[index].name, own[index].title, own[index].option, own[index].units};
	return true;
}
