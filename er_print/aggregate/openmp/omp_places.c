/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of each thread says from when to when its stack is of the run-time alone. */
#include "omp_places.h"
#include "omp_times.h"
#include "stack_sums.h"
#include "storage.h"
#include "system_code.h"
#include "timed_stacks.h"

#include <stdlib.h>

/* Whether a function of the object may be called while a thread waits. */
static bool is_of_waits(const struct data *data, uint32_t object)
{
	const struct load_object *found = &data->objects[object];
	return found->openmp || found->type == OBJECT_VDSO || load_object_is_libc(found) ||
	       (found->type == OBJECT_DYNAMIC && found->layer == LAYER_KERNEL);
}

/* Those that are no thread's are as if the program had them. */
static bool is_no_thread(const struct stack *root)
{
	return root->address > ROOT_FAILED;
}

static void find_callers(const struct data *data, struct timed_stacks *timed)
{
	bool *of_waits = memory_new(data->object_count, sizeof *of_waits);
	for (uint32_t o = OBJECT_INDEX_UNKNOWN + 1; o < data->object_count; o++)
		of_waits[o] = is_of_waits(data, o);
	timed->caller_count = data->stack_count;
	timed->caller = memory_new(data->stack_count, sizeof *timed->caller);
	for (uint32_t s = 1; s < data->stack_count; s++) {
		const struct stack *stack = &data->stacks[s];
		bool root = stack->flags & STACK_ROOT;
		if (root ? is_no_thread(stack) : !of_waits[data->addresses[stack->address].object])
			timed->caller[s] = s;
		else if (!root)
			timed->caller[s] = timed->caller[stack->parent];
	}
	free(of_waits);
}

static uint32_t stack_in(struct data *data, uint32_t caller, enum omp_state state)
{
	return data_stack_on(data, caller, data_address(data, OBJECT_INDEX_TOTAL, OMP_OFFSET(state)), STACK_EXACT);
}

/* The stack of the call that began the region. The recorded one may end in the region's function (FORMAT.md). */
static uint32_t beginner_of(const struct data *data, const struct omp_instance *region)
{
	const struct stack *leaf = &data->stacks[region->stack];
	return leaf->flags & STACK_EXACT ? leaf->parent : region->stack;
}

static struct timed_stack stack_of(const struct omp_times *times, uint32_t experiment, const struct timed_stacks *timed,
	const struct omp_change *change, uint32_t root)
{
	const struct omp_instance *region = omp_region_of(times, experiment, change);
	struct timed_stack made = {.time = change->time};
	if (change->state == OMP_IDLE) {
		made.stack = stack_in(times->data, root, OMP_IDLE);
	} else if (change->stack) {
		made.caller = timed->caller[change->stack];
		made.stack = stack_in(times->data, change->stack, change->state);
	} else if (region && region->stack &&
		   (change->state == OMP_IMPLICIT_BARRIER || change->state == OMP_OVERHEAD)) {
		uint32_t beginner = beginner_of(times->data, region);
		made.caller = timed->caller[beginner];
		made.stack = stack_in(times->data, beginner, change->state);
	}
	return made;
}

static void add_changes(struct timed_stacks *timed, const struct omp_times *times, uint32_t experiment,
	const struct omp_thread_times *of, struct timed_thread *to, uint32_t root)
{
	for (uint32_t i = 0; i < of->count; i++) {
		struct timed_stack made = stack_of(times, experiment, timed, &of->changes[i], root);
		const struct timed_stack *last = to->count ? &to->changes[to->count - 1] : 0;
		if (last ? last->stack == made.stack && last->caller == made.caller : !made.stack)
			continue;
		memory_reserve(to->changes, to->count, to->capacity);
		to->changes[to->count++] = made;
	}
}

bool omp_places_are_in(const struct data *data)
{
	for (uint32_t e = 0; e < data->experiment_count; e++)
		if (experiment_has_kind(data->experiments[e].file, KIND_OPENMP))
			return true;
	return false;
}

void omp_places_make(struct data *data)
{
	timed_stacks_free(data->timed_stacks);
	data->timed_stacks = 0;
	if (!omp_places_are_in(data))
		return;
	struct timed_stacks *timed = memory_new(1, sizeof *timed);
	struct omp_times *times = omp_times_read(data);
	uint32_t root = data_thread_root(data);
	find_callers(data, timed);
	timed->threads = times->threads;
	times->threads = (struct number_map){0};
	timed->thread_count = times->thread_count;
	timed->of = memory_new(times->thread_count, sizeof *timed->of);
	for (uint32_t t = 0; t < times->thread_count; t++)
		add_changes(
			timed, times, times->thread_times[t].experiment, &times->thread_times[t], &timed->of[t], root);
	omp_times_free(times);
	data->timed_stacks = timed;
}
