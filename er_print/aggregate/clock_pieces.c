/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides clock events among the gaps before them. */
#include "clock_pieces.h"
#include "event_path.h"
#include "resolver.h"
#include "storage.h"

/* A piece between waits is short if it is less than such a part of the clock event's value. */
enum { SHORT_PART = 50 };

struct dividing {
	struct event_path last, next, own; /* of stacks in hand */
	struct metric_events pieces;
	size_t capacity;
};

static void add(struct dividing *dividing, const struct metric_event *event, uint64_t from, uint64_t to)
{
	memory_reserve(dividing->pieces.all, dividing->pieces.count, dividing->capacity);
	struct metric_event *piece = &dividing->pieces.all[dividing->pieces.count++];
	*piece = *event;
	piece->time = to;
	piece->value = to - from;
}

/* The number of callers of the function that waited, or ran. */
static uint32_t callers(const struct event_path *path)
{
	uint32_t count = path->count;
	if (count) {
		uint32_t leaf = event_path_function(path, count - 1);
		count -= leaf >= FUNCTION_STATES && leaf < FUNCTION_FIRST_REAL;
	}
	return count ? count - 1 : 0;
}

/* How many of the first `most` functions of both paths are the same. */
static uint32_t common(const struct event_path *path, const struct event_path *other, uint32_t most)
{
	uint32_t count = 0;
	while (count < most && event_path_function(path, count) == event_path_function(other, count))
		count++;
	return count;
}

/* Whether the event's stack begins with so many functions of the next one's. */
static bool has_callers(struct dividing *dividing, const struct metric_event *event, uint32_t count)
{
	event_path_find(&dividing->own, event->stack);
	return dividing->own.count > count && common(&dividing->own, &dividing->next, count) == count;
}

/* The clock event whose stack a piece has, of `own` and the one before it (0: it is the first); 0: none. `next`: the event that
   begins where the piece ends; `last`: the one that ended where it begins, or 0. */
static const struct metric_event *whose(struct dividing *dividing, const struct metric_event *own,
	const struct metric_event *before, const struct metric_event *last, const struct metric_event *next)
{
	if (next == own || !last)
		return own;
	event_path_find(&dividing->last, last->stack);
	event_path_find(&dividing->next, next->stack);
	uint32_t of_last = callers(&dividing->last), of_next = callers(&dividing->next);
	uint32_t count = common(&dividing->last, &dividing->next, of_last < of_next ? of_last : of_next);
	if (has_callers(dividing, own, count))
		return own;
	return before && has_callers(dividing, before, count) ? before : 0;
}

/* The clock event before `own` in its thread, whose events begin with `first`; 0: none. */
static const struct metric_event *clock_before(const struct metric_event *first, const struct metric_event *own)
{
	while (own > first)
		if ((--own)->kind == KIND_CLOCK)
			return own;
	return 0;
}

/* Adds the pieces of clock event `own`. False: there are none. */
static bool divide(struct dividing *dividing, const struct metric_event *first, const struct metric_event *own)
{
	const struct metric_event *before = clock_before(first, own), *next = own;
	uint64_t left = 2 * own->value, to = own->time;
	bool any = false;
	while (left && to) {
		const struct metric_event *last = next == first ? 0 : next - 1;
		uint64_t ended = last ? last->time : 0, from = ended < to ? ended : to;
		uint64_t most = last ? left : left > own->value ? left - own->value : 0;
		if (to - from > most)
			from = to - most;
		const struct metric_event *like = from < to ? whose(dividing, own, before, last, next) : 0;
		any |= from < to;
		if (like && (next == own || to - from >= own->value / SHORT_PART))
			add(dividing, like, from, to);
		left -= to - from;
		if (last == before)
			break;
		uint64_t began = ended > last->value ? ended - last->value : 0;
		to = began < to ? began : to;
		next = last;
	}
	return any;
}

struct metric_events clock_pieces(const struct metric_events *events, const struct path_tree *tree, uint64_t *covered)
{
	const struct path_shape shape = {0};
	struct dividing dividing = {.last = event_path_begin(tree, &shape),
		.next = event_path_begin(tree, &shape),
		.own = event_path_begin(tree, &shape)};
	const struct metric_event *first = events->all;
	for (size_t i = 0; i < events->count; i++) {
		const struct metric_event *event = &events->all[i];
		if (event->experiment != first->experiment || event->thread != first->thread)
			first = event;
		if (event->kind != KIND_CLOCK)
			add(&dividing, event, event->time > event->value ? event->time - event->value : 0, event->time);
		else if (!divide(&dividing, first, event))
			++*covered;
	}
	metric_events_sort(&dividing.pieces);
	event_path_end(&dividing.last);
	event_path_end(&dividing.next);
	event_path_end(&dividing.own);
	return dividing.pieces;
}
