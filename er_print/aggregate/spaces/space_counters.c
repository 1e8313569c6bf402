/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers counters by their names. */
#include "space_counters.h"
#include "stack_sums.h"
#include <string.h>

static const struct space_counter clock_user = {"user", "User CPU", true, true},
				  clock_system = {"system", "System CPU", true, true},
				  off_cpu = {"offcpu", "Off-CPU", true, false};

static unsigned number_of(struct space_counters *counters, struct space_counter counter)
{
	for (unsigned i = 0; i < counters->count; i++)
		if (!strcmp(counters->counter[i].name, counter.name))
			return i;
	if (counters->count == SPACE_COUNTERS_MAX)
		return SPACE_COUNTERS_MAX;
	if (!strcmp(counter.name, "instructions") || !strcmp(counter.name, "insts"))
		counters->instructions = counters->count;
	counters->counter[counters->count] = counter;
	return counters->count++;
}

static void add_readings(
	struct space_counters *counters, const struct experiment *file, unsigned value_of[SPACE_VALUES_MAX])
{
	unsigned values = 0;
	for (unsigned i = 0; i < file->overflow_counter_count && values < READINGS_MAX; i++) {
		const struct overflow_counter *counter = &file->overflow_counters[i];
		if (counter->delivery == DELIVERY_READ)
			value_of[values++] = number_of(counters, (struct space_counter){counter->name, counter->title,
									 counter->units == UNITS_NANOSECONDS, false});
	}
}

void space_counters_add(
	struct space_counters *counters, const struct experiment *file, unsigned value_of[SPACE_VALUES_MAX])
{
	for (unsigned i = 0; i < SPACE_VALUES_MAX; i++)
		value_of[i] = SPACE_COUNTERS_MAX;
	if (experiment_has_kind(file, KIND_READING)) {
		add_readings(counters, file, value_of);
	} else if (experiment_has_kind(file, KIND_CLOCK)) {
		value_of[VALUE_USER] = number_of(counters, clock_user);
		value_of[VALUE_SYSTEM] = number_of(counters, clock_system);
	}
	if (experiment_has_kind(file, KIND_OFFCPU))
		value_of[VALUE_OFFCPU] = number_of(counters, off_cpu);
}
