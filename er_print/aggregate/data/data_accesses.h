/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overflow events that have a data address, and which traced allocation each of them touched. */
#ifndef DATA_ACCESSES_H
#define DATA_ACCESSES_H

#include "data.h"
#include <stdbool.h>
#include <stdint.h>

struct data_access {
	uint64_t time, address; /* ns since the founder's start */
	uint32_t experiment;    /* index */
	uint32_t stack;         /* that allocated what is there; 0: no traced allocation was */
	uint32_t object;        /* data_objects.h's number */
};
struct data_accesses {
	struct data_access *sorted; /* by experiment, time, address; each once */
	uint64_t count, capacity;
};
/* Reads them. Accesses of zeroes are none. */
void data_accesses_read(struct data_accesses *accesses, struct data *data);
void data_accesses_free(struct data_accesses *accesses);
/* The one of an event, or 0. */
const struct data_access *data_accesses_find(
	const struct data_accesses *accesses, uint32_t experiment, uint64_t time, uint64_t address);
/* Sets `stack` of each, from the heap events of the same process. */
void data_accesses_find_blocks(struct data_accesses *accesses, struct data *data);

/* Whether a counter's data addresses were recorded. */
static inline bool counter_has_addresses(const struct experiment *file, uint64_t counter)
{
	return counter < file->overflow_counter_count && file->overflow_counters[counter].memory;
}

#endif
