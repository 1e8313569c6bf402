/* SPDX-License-Identifier: Apache-2.0 */
/* The aliases of counters (counter_aliases.def) on this machine's CPU. */
#ifndef COUNTER_ALIASES_H
#define COUNTER_ALIASES_H

#include "overflow_counter.h"

/* Alias number `index`; 0 at the end. */
struct counter_alias {
	const char *name, *synonyms, *title;
	enum counter_units units;
	uint64_t interval;
};
const struct counter_alias *counter_alias(unsigned index);

/* libpfm4's name of the alias's event on this CPU, or the kernel's general one; 0: the CPU has none. */
const char *counter_alias_event(const struct counter_alias *alias);

#endif
