/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each wait is followed from waker to waker: see chains.h. */
#include "chains.h"
#include "search.h"
#include "storage.h"
#include "wakeups.h"

#include <stdlib.h>

/* So many wakers one after another; more are hardly read, and threads that wake one another in turn have no end. */
enum { WAKERS_MOST = 8 };

struct numbered_wait {
	struct wait wait;
	uint32_t number;             /* of its event */
	const struct wakeup *wakeup; /* who ended it; 0: not known */
	uint32_t
		woken; /* the last of the thread's waits up to this one that somebody is known to have ended; NONE: no such */
};
enum { NONE = UINT32_MAX };

/* The last results of add_waker(): most waits of one place are ended at one other. */
enum { MEMORY = 4096 };
struct remembered {
	uint32_t below, waker, result; /* result 0: nothing */
};

struct making {
	struct chains *chains;
	struct data *data;
	struct wakeups wakeups;
	struct numbered_wait *waits; /* by experiment, thread, end */
	uint32_t wait_count, capacity, room;
	struct remembered remembered[MEMORY];
};

static void collect(void *context, const struct data_batch *batch)
{
	struct making *making = context;
	struct chains *chains = making->chains;
	for (uint32_t i = 0; i < batch->count; i++, chains->count++) {
		struct numbered_wait wait = {.number = chains->count};
		memory_reserve(chains->stack, chains->count, making->room);
		chains->stack[chains->count] = 0;
		if (!wait_of_event(making->data, batch, i, &wait.wait))
			continue;
		memory_reserve(making->waits, making->wait_count, making->capacity);
		making->waits[making->wait_count++] = wait;
	}
}

static int by_thread_and_end(const void *a, const void *b)
{
	const struct numbered_wait *x = a, *y = b;
	return COMPARE(x->wait.experiment, y->wait.experiment) ?: COMPARE(x->wait.thread, y->wait.thread) ?:
	       COMPARE(x->wait.end, y->wait.end) ?: COMPARE(x->number, y->number);
}

static bool is_after(const struct wait *wait, const struct wakeup *wakeup)
{
	if (wait->experiment != wakeup->experiment)
		return wait->experiment > wakeup->experiment;
	return wait->thread != wakeup->thread ? wait->thread > wakeup->thread : wait->end > wakeup->time;
}

static bool of_one_thread(const struct wait *a, const struct wait *b)
{
	return a->experiment == b->experiment && a->thread == b->thread;
}

static void find_wakers(struct making *making)
{
	for (uint32_t w = 0; w < making->wait_count; w++) {
		struct numbered_wait *own = &making->waits[w];
		bool first = w == 0 || !of_one_thread(&own->wait, &own[-1].wait);
		own->wakeup = wakeup_of_wait(&making->wakeups, &own->wait);
		own->woken = own->wakeup ? w : first ? NONE : own[-1].woken;
	}
}

/* The wait of the waker that somebody ended last before it woke the thread of `woken`, if that one waited by then; else 0. */
static const struct numbered_wait *wait_before(const struct making *making, const struct numbered_wait *woken)
{
	const struct wakeup *wakeup = woken->wakeup;
	uint64_t after = FIRST_WHERE(w, making->wait_count, is_after(&making->waits[w].wait, wakeup));
	const struct numbered_wait *last = after ? &making->waits[after - 1] : 0;
	if (!last || last->wait.experiment != wakeup->experiment || last->wait.thread != wakeup->thread ||
		last->woken == NONE)
		return 0;
	const struct numbered_wait *wait = &making->waits[last->woken];
	return wait->wait.end > woken->wait.begin ? wait : 0;
}

/* The stack `waker` from its leaf to its root, on a separator. */
static uint32_t add_waker(struct data *data, uint32_t stack, uint32_t waker)
{
	stack = data_stack_on(data, stack, data_address(data, OBJECT_INDEX_TOTAL, 0), STACK_EXACT);
	for (; waker && !(data->stacks[waker].flags & STACK_ROOT); waker = data->stacks[waker].parent)
		stack = data_stack_on(data, stack, data->stacks[waker].address,
			(data->stacks[waker].flags & (STACK_EXACT | STACK_HEURISTIC)) | STACK_REVERSED);
	return stack;
}

static uint32_t on_top(struct making *making, uint32_t stack, uint32_t waker)
{
	struct remembered *remembered = &making->remembered[(stack * 2654435761u ^ waker) % MEMORY];
	if (!remembered->result || remembered->below != stack || remembered->waker != waker)
		*remembered = (struct remembered){stack, waker, add_waker(making->data, stack, waker)};
	return remembered->result;
}

static uint32_t chain_of(struct making *making, const struct numbered_wait *wait)
{
	uint32_t stack = wait->wait.stack;
	for (unsigned wakers = 0; wait && wait->wakeup && wakers < WAKERS_MOST; wakers++) {
		stack = on_top(making, stack, wait->wakeup->stack);
		wait = wait_before(making, wait);
	}
	return stack;
}

void chains_make(struct chains *chains, struct data *data)
{
	struct making *making = memory_new(1, sizeof *making);
	*chains = (struct chains){0};
	making->chains = chains;
	making->data = data;
	wakeups_read(&making->wakeups, data);
	data_visit_in_time(data, KIND_OFFCPU, collect, making);
	if (making->wait_count)
		qsort(making->waits, making->wait_count, sizeof *making->waits, by_thread_and_end);
	find_wakers(making);
	for (uint32_t w = 0; w < making->wait_count; w++)
		chains->stack[making->waits[w].number] = chain_of(making, &making->waits[w]);
	wakeups_free(&making->wakeups);
	free(making->waits);
	free(making);
}

void chains_free(struct chains *chains)
{
	free(chains->stack);
}
