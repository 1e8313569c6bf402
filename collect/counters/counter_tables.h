/* SPDX-License-Identifier: Apache-2.0 */
/* The tables in which a counter's name is looked up; for counter_event.c and the list. Each function returns false if the
   name is none of its own; with found->error set if it is, and cannot be had. */
#ifndef COUNTER_TABLES_H
#define COUNTER_TABLES_H

#include "counter_request.h"

struct counter_found {
	struct overflow_counter counter;
	uint64_t interval; /* of the rate "on" */
	struct error error;
};

bool software_event_find(const struct counter_request *request, const char *name, struct counter_found *found);
bool counter_alias_find(const struct counter_request *request, const char *name, struct counter_found *found);
bool tracepoint_find(const struct counter_request *request, const char *name, struct counter_found *found);
bool raw_event_find(const struct counter_request *request, const char *name, struct counter_found *found);
bool library_event_find(const struct counter_request *request, const char *name, struct counter_found *found);

/* Says that nobody knows the name, and the nearest that are known. Returns false. */
bool counter_name_unknown(const char *name, struct error *error);

#endif
