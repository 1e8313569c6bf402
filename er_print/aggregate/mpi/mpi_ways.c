/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits are put in the order of their ends as soon as none that ends earlier is to come. Each is a step whose way goes on with the
   last step of the thread that was waited for; steps count who goes on with them. */
#include "mpi_ways.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct step {
	uint64_t time;
	uint32_t late;   /* thread, by its place */
	uint32_t before; /* of that one; NONE: it had not waited. Of a step that is free: the next free one */
	uint32_t users;
};
/* A wait whose time has not come. */
struct pending {
	uint64_t end;
	uint32_t thread, late; /* by their places */
};
struct mpi_ways {
	struct number_map places; /* thread -> place */
	struct thread {
		uint64_t thread;
		uint32_t last; /* step */
	} * threads;
	struct step *steps;
	struct pending *pending;
	uint32_t thread_count, step_count, free, pending_count, pending_capacity;
};

static void forget(void *context)
{
	struct mpi_ways *ways = context;
	for (uint32_t t = 0; t < ways->thread_count; t++)
		ways->threads[t].last = NONE;
	ways->step_count = ways->pending_count = 0;
	ways->free = NONE;
}

static uint32_t place_of(struct mpi_ways *ways, uint64_t thread)
{
	uint32_t *place = number_map_place(&ways->places, thread);
	if (*place == NO_NUMBER) {
		ways->threads = memory_room(ways->threads, ways->thread_count, sizeof *ways->threads);
		ways->threads[ways->thread_count] = (struct thread){thread, NONE};
		*place = ways->thread_count++;
	}
	return *place;
}

static void add_wait(void *context, const struct mpi_wait *wait)
{
	struct mpi_ways *ways = context;
	uint32_t thread = place_of(ways, mpi_wait_thread(wait)), late = place_of(ways, mpi_wait_late_thread(wait));
	memory_reserve(ways->pending, ways->pending_count, ways->pending_capacity);
	ways->pending[ways->pending_count++] = (struct pending){wait->end, thread, late};
}

static uint32_t new_step(struct mpi_ways *ways, const struct step *step)
{
	uint32_t number = ways->free;
	if (number == NONE) {
		ways->steps = memory_room(ways->steps, ways->step_count, sizeof *ways->steps);
		number = ways->step_count++;
	} else {
		ways->free = ways->steps[number].before;
	}
	ways->steps[number] = *step;
	return number;
}

/* One that goes on with it does so no more. */
static void leave(struct mpi_ways *ways, uint32_t number)
{
	while (number != NONE && !--ways->steps[number].users) {
		uint32_t before = ways->steps[number].before;
		ways->steps[number].before = ways->free;
		ways->free = number;
		number = before;
	}
}

static void add_step(struct mpi_ways *ways, const struct pending *wait)
{
	uint32_t *last = &ways->threads[wait->thread].last, before = ways->threads[wait->late].last;
	uint32_t step = new_step(ways, &(struct step){wait->end, wait->late, before, 1});
	if (before != NONE)
		ways->steps[before].users++;
	leave(ways, *last);
	*last = step;
}

static int by_end(const void *left, const void *right)
{
	const struct pending *a = left, *b = right;
	return COMPARE(a->end, b->end) ?: COMPARE(a->thread, b->thread) ?: COMPARE(a->late, b->late);
}

/* Waits that end at the same moment, by thread. */
struct together {
	const struct pending *all;
	uint32_t count;
	unsigned char *state;
	uint32_t *stack;
};
enum { NEW, STACKED, DONE };

/* The last wait of a thread that is not a step yet, or NONE. */
static uint32_t wait_of(const struct together *together, uint32_t thread)
{
	const struct pending *all = together->all;
	uint32_t after = FIRST_WHERE(i, together->count, all[i].thread > thread);
	bool found = after && all[after - 1].thread == thread && together->state[after - 1] == NEW;
	return found ? after - 1 : NONE;
}

/* A thread that another one waited for may itself have stopped to wait at that moment, which comes first. */
static void add_with_causes(struct mpi_ways *ways, struct together *together, uint32_t wait)
{
	uint32_t depth = 0;
	for (uint32_t next = wait;;) {
		if (next != NONE) {
			together->state[next] = STACKED;
			together->stack[depth++] = next;
		} else if (depth) {
			add_step(ways, &together->all[together->stack[--depth]]);
			together->state[together->stack[depth]] = DONE;
		}
		if (!depth)
			return;
		next = wait_of(together, together->all[together->stack[depth - 1]].late);
	}
}

static void add_together(struct mpi_ways *ways, const struct pending *all, uint32_t count)
{
	if (count == 1) {
		add_step(ways, all);
		return;
	}
	struct together together = {
		all, count, memory_new(count, sizeof *together.state), memory_new(count, sizeof *together.stack)};
	for (uint32_t i = 0; i < count; i++)
		if (together.state[i] == NEW)
			add_with_causes(ways, &together, i);
	free(together.state);
	free(together.stack);
}

static void pass(void *context, uint64_t time)
{
	struct mpi_ways *ways = context;
	struct pending *all = ways->pending;
	uint32_t first = 0, next;
	if (ways->pending_count)
		qsort(all, ways->pending_count, sizeof *all, by_end);
	for (; first < ways->pending_count && all[first].end < time; first = next) {
		for (next = first; next < ways->pending_count && all[next].end == all[first].end; next++)
			;
		add_together(ways, &all[first], next - first);
	}
	ways->pending_count -= first;
	memmove(all, all + first, ways->pending_count * sizeof *all);
}

struct mpi_ways *mpi_ways_read(struct data *data)
{
	struct mpi_ways *ways = memory_new(1, sizeof *ways);
	mpi_waits_visit(data, 0, 0, &(struct mpi_wait_reader){forget, add_wait, ways, pass});
	free(ways->pending);
	ways->pending = 0;
	return ways;
}

void mpi_ways_free(struct mpi_ways *ways)
{
	number_map_free(&ways->places);
	free(ways->threads);
	free(ways->steps);
	free(ways);
}

uint32_t mpi_ways_last(const struct mpi_ways *ways, uint64_t thread)
{
	uint32_t place = number_map_find(&ways->places, thread);
	return place == NO_NUMBER ? NONE : ways->threads[place].last;
}

bool mpi_ways_before(const struct mpi_ways *ways, uint32_t *at, struct mpi_way *way)
{
	if (*at == NONE)
		return false;
	const struct step *step = &ways->steps[*at];
	*way = (struct mpi_way){step->time, ways->threads[step->late].thread};
	*at = step->before;
	return true;
}
