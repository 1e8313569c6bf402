/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers counters by their names. */
#include "space_counters.h"
#include "stack_sums.h"
#include <string.h>

static const struct space_counter clock_counters[CLOCK_COUNTS] = {
	[COUNT_USER] = {"user", "User CPU", true, true},
	[COUNT_SYSTEM] = {"system", "System CPU", true, true},
	[COUNT_OFFCPU] = {"offcpu", "Off-CPU", true, false},
};

static unsigned number_of(struct space_counters *counters, struct space_counter counter)
{
	for (unsigned i = 0; i < counters->count; i++)
		if (!strcmp(counters->counter[i].name, counter.name))
			return i;
	if (counters->count == READINGS_MAX)
		return READINGS_MAX;
	if (!strcmp(counter.name, "instructions") || !strcmp(counter.name, "insts"))
		counters->instructions = counters->count;
	counters->counter[counters->count] = counter;
	return counters->count++;
}

void space_counters_add(struct space_counters *counters, const struct experiment *file, unsigned value_of[READINGS_MAX])
{
	unsigned values = 0;
	for (unsigned i = 0; i < READINGS_MAX; i++)
		value_of[i] = READINGS_MAX;
	if (!experiment_has_kind(file, KIND_READING)) {
		bool clock = experiment_has_kind(file, KIND_CLOCK), states = experiment_has_kind(file, KIND_OFFCPU);
		for (unsigned i = 0; i < CLOCK_COUNTS; i++)
			if (i == COUNT_OFFCPU ? states : clock)
				value_of[i] = number_of(counters, clock_counters[i]);
		return;
	}
	for (unsigned i = 0; i < file->overflow_counter_count && values < READINGS_MAX; i++) {
		const struct overflow_counter *counter = &file->overflow_counters[i];
		if (counter->delivery == DELIVERY_READ)
			value_of[values++] = number_of(
				counters, (struct space_counter){counter->name, counter->title, false, false});
	}
}
