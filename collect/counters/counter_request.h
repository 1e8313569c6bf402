/* SPDX-License-Identifier: Apache-2.0 */
/* The request of -h, as values: the grammar alone, nothing of what this machine has.

   -h off | on | hi[gh] | lo[w] | auto
   -h COUNTER[,COUNTER]...
   COUNTER = [+|-]NAME[~ATTRIBUTE=VALUE]...[/REGISTER][,RATE]     RATE = on | hi[gh] | h | lo[w] | auto | INTEGER | nothing
   COUNTER = =NAME[~ATTRIBUTE=VALUE]...     read at clock ticks, without a rate; =on: the default set of those */
#ifndef COUNTER_REQUEST_H
#define COUNTER_REQUEST_H

#include "error.h"
#include "overflow_counter.h"
#include <stdbool.h>
#include <stdint.h>

enum counter_rate { RATE_AUTO, RATE_LOW, RATE_ON, RATE_HIGH, RATE_INTERVAL };

#define COUNTER_ATTRIBUTES_MAX 8u
struct counter_request {
	char name[160];
	struct counter_attribute {
		char name[32];
		uint64_t value;
	} attributes[COUNTER_ATTRIBUTES_MAX];
	unsigned attribute_count;
	enum counter_rate rate;
	uint64_t interval; /* RATE_INTERVAL */
	bool read;         /* =: it has no overflows, clock ticks read it */
	bool memory;       /* +: data addresses are asked for */
	bool no_memory;    /* -: and not those that the counter would record by itself */
	bool has_register; /* /N: the kernel assigns counters, it is ignored */
};

struct counter_requests {
	struct counter_request items[OVERFLOW_COUNTERS_MAX];
	unsigned count;
	bool off;              /* -h off, and no other -h */
	bool standard;         /* the default set, at `standard_rate` */
	bool standard_read;    /* the default set of those that are read */
	bool standard_decides; /* -h hi or lo: the default clock rate as well */
	enum counter_rate standard_rate;
};

/* Adds the value of one -h. */
bool counter_requests_add(struct counter_requests *requests, const char *value, struct error *error);

/* The value of an attribute; `missing` if it was not given. */
uint64_t counter_request_attribute(const struct counter_request *request, const char *name, uint64_t missing);

#endif
