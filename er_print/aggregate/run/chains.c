/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each wait is followed from waker to waker: see chains.h. */
#include "chains.h"
#include "search.h"
#include "storage.h"
#include "waits.h"
#include "wakeups.h"

#include <stdlib.h>

/* So many wakers one after another; more are hardly read, and threads that wake one another in turn have no end. */
enum { WAKERS_MOST = 8 };

/* How a wait ended. */
struct ending {
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
	struct data *data;
	struct wakeups wakeups;
	struct waits waits;
	struct ending *endings; /* by wait */
	struct remembered remembered[MEMORY];
};

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
	const struct wait *all = making->waits.all;
	for (uint32_t w = 0; w < making->waits.count; w++) {
		struct ending *ending = &making->endings[w];
		bool first = w == 0 || !of_one_thread(&all[w], &all[w - 1]);
		ending->wakeup = wakeup_of_wait(&making->wakeups, &all[w]);
		ending->woken = ending->wakeup ? w : first ? NONE : ending[-1].woken;
	}
}

/* The wait of the waker that somebody ended last before it woke the thread of wait `woken`, if that one waited by then; else
   NONE. */
static uint32_t wait_before(const struct making *making, uint32_t woken)
{
	const struct waits *waits = &making->waits;
	const struct wakeup *wakeup = making->endings[woken].wakeup;
	uint64_t after = FIRST_WHERE(w, waits->count, is_after(&waits->all[w], wakeup));
	if (!after || waits->all[after - 1].experiment != wakeup->experiment ||
		waits->all[after - 1].thread != wakeup->thread)
		return NONE;
	uint32_t wait = making->endings[after - 1].woken;
	return wait != NONE && waits->all[wait].end > waits->all[woken].begin ? wait : NONE;
}

/* The stack `waker` from its leaf to its root, on a separator. */
static uint32_t add_waker(struct data *data, uint32_t stack, uint32_t waker)
{
	stack = data_stack_on(data, stack, data_address(data, OBJECT_INDEX_TOTAL, WOKEN_OFFSET), STACK_EXACT);
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

static uint32_t chain_of(struct making *making, uint32_t wait)
{
	uint32_t stack = making->waits.all[wait].stack;
	for (unsigned wakers = 0; wait != NONE && making->endings[wait].wakeup && wakers < WAKERS_MOST; wakers++) {
		stack = on_top(making, stack, making->endings[wait].wakeup->stack);
		wait = wait_before(making, wait);
	}
	return stack;
}

void chains_make(struct chains *chains, struct data *data)
{
	struct making *making = memory_new(1, sizeof *making);
	making->data = data;
	wakeups_read(&making->wakeups, data);
	waits_read(&making->waits, data);
	making->endings = memory_new(making->waits.count, sizeof *making->endings);
	find_wakers(making);
	*chains = (struct chains){.count = making->waits.event_count};
	chains->stack = memory_new(chains->count, sizeof *chains->stack);
	for (uint32_t w = 0; w < making->waits.count; w++)
		chains->stack[making->waits.all[w].number] = chain_of(making, w);
	wakeups_free(&making->wakeups);
	waits_free(&making->waits);
	free(making->endings);
	free(making);
}

void chains_free(struct chains *chains)
{
	free(chains->stack);
}
