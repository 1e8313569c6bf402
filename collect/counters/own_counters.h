/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of our own that are read at clock ticks (own_counters.def). */
#ifndef OWN_COUNTERS_H
#define OWN_COUNTERS_H

#include "error.h"
#include "overflow_counter.h"
#include "settings.h"
#include <stdbool.h>

/* Fills in all of *counter. False: there is none of that name. */
bool own_counter_find(const char *name, struct overflow_counter *counter);

/* Whether the settings record what the running sums add up; false and *error: the option that is missing. */
bool own_counters_check(
	const struct overflow_counter *counters, unsigned count, const struct settings *settings, struct error *error);

/* The counter of number `index` as a list shows it; false at the end. */
struct own_counter_row {
	const char *name, *title;
	const char *option; /* of collect that it needs; 0: none */
	enum counter_units units;
};
bool own_counter_row(unsigned index, struct own_counter_row *row);

#endif
