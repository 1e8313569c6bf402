/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric of those who end waits: how long others waited until this code woke them. */
#include "event_filter.h"
#include "metrics.h"
#include "storage.h"
#include "waits.h"
#include "wakeups.h"

#include <stdlib.h>

struct pass {
	const struct wakeups *wakeups;
	uint64_t *waited; /* by wakeup, ns: the waits that it ended */
	const struct metric_keys *keys;
	uint64_t *sums, *events;
	uint32_t next; /* number of the next wakeup */
};

static void add_waits(struct pass *pass, struct data *data)
{
	struct waits waits;
	waits_read(&waits, data);
	for (uint32_t w = 0; w < waits.count; w++) {
		const struct wait *wait = &waits.all[w];
		const struct wakeup *wakeup = wakeup_of_wait(pass->wakeups, wait);
		if (wakeup)
			pass->waited[wakeup - pass->wakeups->all] += wait->end - wait->begin;
	}
	waits_free(&waits);
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const struct metric_keys *keys = pass->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_OFFCPU, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OFFCPU, state)][i] != STATE_VALUE(OFFCPU, state, waking))
			continue;
		uint64_t waited = pass->waited[pass->wakeups->order[pass->next++]];
		if (kept && !kept[i])
			continue;
		pass->sums[key[i]] += waited;
		++*pass->events;
	}
}

/* Row of metrics.def. */
metric_pass wakeup_time;
void wakeup_time(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct wakeups wakeups;
	wakeups_read(&wakeups, data);
	struct pass pass = {.wakeups = &wakeups,
		.waited = memory_new(wakeups.count, sizeof *pass.waited),
		.keys = keys,
		.sums = sums[0],
		.events = events};
	add_waits(&pass, data);
	event_filter_mark_in_time(data, KIND_OFFCPU, filter, add_batch, &pass);
	free(pass.waited);
	wakeups_free(&wakeups);
}
