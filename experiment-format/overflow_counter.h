/* SPDX-License-Identifier: Apache-2.0 */
/* The counters whose overflows are recorded, or that are read at samples (overflow_counters.def), as values and as the text of
   the setting "counters". No malloc, no stdio: the collector reads them too. */
#ifndef OVERFLOW_COUNTER_H
#define OVERFLOW_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERFLOW_COUNTERS_MAX 16u /* in one experiment */

struct overflow_counter {
#define NUMBER(name, text)     uint64_t name;
#define TEXT(name, size, text) char name[size];
#include "overflow_counters.def"
#undef NUMBER
#undef TEXT
};

enum counter_units {
	UNITS_EVENTS,
	UNITS_CPU_CYCLES,
	UNITS_FIXED_CYCLES,
	UNITS_NANOSECONDS,
	UNITS_MILLIONTHS,
	UNITS_BYTES
};
enum counter_modes { MODE_USER = 1, MODE_KERNEL = 2, MODE_HYPERVISOR = 4 };
enum counter_delivery { DELIVERY_SIGNAL, DELIVERY_LATER, DELIVERY_READ };
#define READINGS_MAX 8u /* counters of DELIVERY_READ in one experiment: the values of an event of kind reading */

/* Types of counters that are no perf events; config: which. */
#define TYPE_ACCOUNT (UINT64_C(1) << 32)
#define TYPE_SUM     (TYPE_ACCOUNT + 1)
enum account_counter {
#define ACCOUNT(identifier, name, synonyms, units, title) ACCOUNT_##identifier,
#include "own_counters.def"
};
enum sum_counter {
#define SUM(identifier, name, synonyms, units, setting, option, title) SUM_##identifier,
#include "own_counters.def"
	SUM_COUNT
};

/* Writes `count` counters, separated by ';', their properties by '|'. What separates is not written within a text. Returns
   the size, 0 if it does not fit; *text ends with 0. */
size_t overflow_counters_encode(const struct overflow_counter *counters, unsigned count, char *text, size_t size);

/* Reads such a text; properties that are missing are 0 or "", what is more is skipped. Returns how many there are; what is
   malformed, and all after it, is left out. Async-signal-safe. */
unsigned overflow_counters_decode(const char *text, struct overflow_counter counters[OVERFLOW_COUNTERS_MAX]);

#endif
