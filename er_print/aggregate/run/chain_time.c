/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric of waits with who ended them: the time of each wait, at its chain stack. */
#include "chains.h"
#include "event_filter.h"
#include "metrics.h"
#include "wait_states.h"

struct pass {
	const struct chains *chains;
	const struct metric_keys *keys;
	uint64_t *sums, *events;
	uint32_t next; /* number of the batch's first event */
};

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const struct metric_keys *keys = pass->keys;
	struct data_batch chained = *batch;
	chained.stack = pass->chains->stack + pass->next;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_OFFCPU, &chained) : chained.stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (!state_is_wait(batch->field[FIELD_INDEX(OFFCPU, state)][i]) || (kept && !kept[i]))
			continue;
		pass->sums[key[i]] += batch->field[FIELD_INDEX(OFFCPU, duration)][i];
		++*pass->events;
	}
	pass->next += batch->count;
}

/* Row of metrics.def. */
metric_stacks chain_stacks;
void chain_stacks(struct data *data)
{
	struct chains chains;
	chains_make(&chains, data);
	chains_free(&chains);
}

/* Row of metrics.def. */
metric_pass chain_time;
void chain_time(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct chains chains;
	chains_make(&chains, data);
	event_filter_mark_in_time(data, KIND_OFFCPU, filter, add_batch,
		&(struct pass){.chains = &chains, .keys = keys, .sums = sums[0], .events = events});
	chains_free(&chains);
}
