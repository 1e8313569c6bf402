/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of the heap at its peak: what each process had at the moment when it had most, by the stack that allocated it. */
#include "heap_replay.h"
#include "storage.h"

#include <stdlib.h>

struct peaks {
	const struct data *data;
	uint64_t *at;     /* by experiment: how many changes there are until its peak */
	uint64_t changes; /* of the present process so far */
	uint64_t bytes, most;
	uint64_t until, *own; /* of the present process */
	uint64_t *sums, *count, *events;
};

static void begin(void *context, const struct loaded_experiment *experiment)
{
	struct peaks *peaks = context;
	peaks->own = &peaks->at[experiment - peaks->data->experiments];
	peaks->until = *peaks->own;
	peaks->changes = peaks->bytes = peaks->most = 0;
}

static void grow(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peaks *peaks = context;
	(void)time;
	peaks->changes++;
	peaks->bytes += piece->size;
	if (peaks->bytes > peaks->most) {
		peaks->most = peaks->bytes;
		*peaks->own = peaks->changes;
	}
}

static void shrink(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peaks *peaks = context;
	(void)time;
	peaks->changes++;
	peaks->bytes -= piece->size;
}

/* Whether a change is before the peak, or is it, and is counted. */
static bool is_seen(struct peaks *peaks, const struct heap_piece *piece)
{
	return ++peaks->changes <= peaks->until && piece->counts;
}

static void add(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peaks *peaks = context;
	(void)time;
	if (!is_seen(peaks, piece))
		return;
	peaks->sums[piece->stack] += piece->size;
	peaks->count[piece->stack]++;
	++*peaks->events;
}

static void take(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct peaks *peaks = context;
	(void)time;
	if (!is_seen(peaks, piece))
		return;
	peaks->sums[piece->stack] -= piece->size;
	peaks->count[piece->stack]--;
	--*peaks->events;
}

/* Rows of metrics.def: bytes, count. */
metric_pass heap_peaks;
void heap_peaks(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct peaks peaks = {.data = data, .sums = sums[0], .count = sums[1], .events = events};
	peaks.at = memory_new(data->experiment_count, sizeof *peaks.at);
	heap_replay(data, filter,
		&(struct heap_listener){.context = &peaks, .begin = begin, .allocated = grow, .released = shrink});
	heap_replay(data, filter,
		&(struct heap_listener){
			.context = &peaks, .begin = begin, .allocated = add, .released = take, .keys = keys});
	free(peaks.at);
}
