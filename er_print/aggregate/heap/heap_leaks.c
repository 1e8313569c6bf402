/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of leaks: what a process has not released at its end, reachable or not, by the stack that allocated it. */
#include "heap_replay.h"

struct leaks {
	uint64_t *bytes, *count, *events;
};

static void add_leak(void *context, const struct heap_piece *piece)
{
	struct leaks *leaks = context;
	if (!piece->counts)
		return;
	leaks->bytes[piece->stack] += piece->size;
	leaks->count[piece->stack] += !piece->again;
	++*leaks->events;
}

/* Rows of metrics.def: bytes, count. */
metric_pass heap_leaks;
void heap_leaks(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct leaks leaks = {sums[0], sums[1], events};
	struct heap_listener listener = {.context = &leaks, .left = add_leak, .keys = keys};
	heap_replay(data, filter, &listener);
}
