/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric of those who end waits: how long others waited until this code woke them. */
#include "event_filter.h"
#include "metrics.h"
#include "wakeups.h"

struct pass {
	const struct wakeups *wakeups;
	const struct metric_keys *keys;
	uint64_t *sums, *events;
	uint32_t next; /* number of the next wakeup */
};

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const struct metric_keys *keys = pass->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_OFFCPU, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OFFCPU, state)][i] != STATE_VALUE(OFFCPU, state, waking))
			continue;
		const struct wakeup *wakeup = &pass->wakeups->all[pass->wakeups->order[pass->next++]];
		if (kept && !kept[i])
			continue;
		pass->sums[key[i]] += wakeup->waited;
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
	event_filter_mark_in_time(data, KIND_OFFCPU, filter, add_batch,
		&(struct pass){.wakeups = &wakeups, .keys = keys, .sums = sums[0], .events = events});
	wakeups_free(&wakeups);
}
