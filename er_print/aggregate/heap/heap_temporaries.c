/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of temporary allocations: blocks that a thread released before it allocated again by the same call path. */
#include "heap_replay.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

/* The block that a thread allocated last by a path. */
struct latest {
	uint64_t address;
	bool released;
};
struct temporaries {
	struct number_map places; /* (thread, path) -> place in `all` */
	struct latest *all;
	uint32_t count;
	size_t capacity;
	uint64_t *number, *bytes, *events; /* sums by key */
};

static void forget(struct temporaries *temporaries)
{
	number_map_free(&temporaries->places);
	temporaries->places = (struct number_map){0};
	temporaries->count = 0;
}

static void begin(void *context, const struct loaded_experiment *experiment)
{
	(void)experiment;
	forget(context);
}

static struct latest *latest_of(struct temporaries *temporaries, const struct heap_piece *piece)
{
	uint32_t *place = number_map_place(&temporaries->places, number_pair(piece->thread, piece->path));
	if (*place == NO_NUMBER) {
		*place = temporaries->count;
		memory_reserve(temporaries->all, temporaries->count, temporaries->capacity);
		temporaries->all[temporaries->count++] = (struct latest){0};
	}
	return &temporaries->all[*place];
}

/* A release that is taken back makes no temporary. */
static void allocated(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct temporaries *temporaries = context;
	(void)time;
	if (piece->mapping)
		return;
	struct latest *latest = latest_of(temporaries, piece);
	if (piece->again && latest->address == piece->address && latest->released && piece->counts) {
		temporaries->number[piece->stack]--;
		temporaries->bytes[piece->stack] -= piece->size;
		--*temporaries->events;
	}
	*latest = (struct latest){piece->address, false};
}

static void released(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct temporaries *temporaries = context;
	(void)time;
	if (piece->mapping)
		return;
	struct latest *latest = latest_of(temporaries, piece);
	if (latest->address != piece->address || latest->released)
		return;
	latest->released = true;
	if (!piece->counts)
		return;
	temporaries->number[piece->stack]++;
	temporaries->bytes[piece->stack] += piece->size;
	++*temporaries->events;
}

/* Rows of metrics.def: count, bytes. */
metric_pass heap_temporaries;
void heap_temporaries(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	uint64_t **sums, uint64_t *events)
{
	struct temporaries temporaries = {.number = sums[0], .bytes = sums[1], .events = events};
	heap_replay(data, filter,
		&(struct heap_listener){.context = &temporaries,
			.begin = begin,
			.allocated = allocated,
			.released = released,
			.keys = keys});
	forget(&temporaries);
	free(temporaries.all);
}
