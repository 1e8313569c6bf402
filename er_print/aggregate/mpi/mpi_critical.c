/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass for when threads were in MPI first and last, then the way back from the last one. */
#include "mpi_critical.h"
#include "mpi_ways.h"
#include "mpi_world.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

enum { WORLD_NUMBER = 1 }; /* MPI_COMM_WORLD in each process's events */

/* A thread's MPI calls. */
struct caller {
	uint64_t thread;
	uint64_t first;                /* when the first began */
	uint64_t last_begin, last_end; /* the last */
};
struct walk {
	const struct loaded_experiment *experiments;
	struct caller *callers;
	uint32_t caller_count;
	struct number_map places; /* thread -> caller */
	const struct mpi_world *world;
	struct mpi_ways *ways;
	struct mpi_critical *path;
};

static void add_batch(void *context, const struct data_batch *batch)
{
	struct walk *walk = context;
	uint32_t experiment = (uint32_t)(batch->experiment - walk->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t begin = batch->time[i], thread = number_pair(experiment, batch->thread[i]);
		uint64_t end = begin + batch->field[FIELD_INDEX(MPI, duration)][i] +
			       batch->field[FIELD_INDEX(MPI, between)][i];
		uint32_t *place = number_map_place(&walk->places, thread);
		if (*place == NO_NUMBER) {
			walk->callers = memory_room(walk->callers, walk->caller_count, sizeof *walk->callers);
			walk->callers[walk->caller_count] = (struct caller){thread, begin, begin, end};
			*place = walk->caller_count++;
		}
		struct caller *caller = &walk->callers[*place];
		caller->first = begin < caller->first ? begin : caller->first;
		/* Further events of a call repeat its beginning without its duration, so they would end it too early. */
		if (begin >= caller->last_begin && batch->field[FIELD_INDEX(MPI, calls)][i]) {
			caller->last_begin = begin;
			caller->last_end = end;
		}
	}
}

static int compare_stretches(const struct mpi_stretch *a, const struct mpi_stretch *b)
{
	return COMPARE(a->thread, b->thread) ?: COMPARE(a->begin, b->begin) ?: COMPARE(a->end, b->end);
}

static int by_thread(const void *left, const void *right)
{
	return compare_stretches(left, right);
}

/* Whether a stretch is of the thread and ends after `time`, or of a later thread. */
static bool ends_after(const struct mpi_stretch *stretch, uint64_t thread, uint64_t time)
{
	return stretch->thread > thread || (stretch->thread == thread && stretch->end > time);
}

static void add_stretch(struct walk *walk, uint64_t thread, uint64_t begin, uint64_t end)
{
	struct mpi_critical *path = walk->path;
	if (begin >= end)
		return;
	path->stretches = memory_room(path->stretches, path->count, sizeof *path->stretches);
	path->stretches[path->count++] = (struct mpi_stretch){thread, begin, end};
}

static void walk_from(struct walk *walk, const struct caller *last)
{
	uint64_t thread = last->thread, time = last->last_end;
	struct mpi_way way;
	for (uint32_t i = mpi_ways_last(walk->ways, thread); mpi_ways_before(walk->ways, &i, &way);) {
		add_stretch(walk, thread, way.time, time);
		thread = way.thread;
		time = way.time;
	}
	uint32_t place = number_map_find(&walk->places, thread);
	add_stretch(walk, thread, place == NO_NUMBER ? time : walk->callers[place].first, time);
}

static uint32_t world_of(const struct walk *walk, const struct caller *caller)
{
	return mpi_world_find(walk->world, (uint32_t)(caller->thread >> 32), WORLD_NUMBER);
}

/* From the last call of each run. */
static void walk_runs(struct walk *walk)
{
	uint32_t worlds = mpi_world_count(walk->world);
	const struct caller **last = memory_new((size_t)worlds + 1, sizeof *last);
	for (uint32_t c = 0; c < walk->caller_count; c++) {
		const struct caller *caller = &walk->callers[c];
		uint32_t world = world_of(walk, caller);
		/* Threads of no known world share a place behind the others, which nothing reads: without a world there is no
		   last rank. */
		const struct caller **own = &last[world == NO_COMMUNICATOR ? worlds : world];
		if (!*own || caller->last_begin > (*own)->last_begin)
			*own = caller;
	}
	for (uint32_t world = 0; world < worlds; world++)
		if (last[world])
			walk_from(walk, last[world]);
	free(last);
}

/* In order, and what two runs share once. */
static void sort_path(struct mpi_critical *path)
{
	uint32_t kept = 0;
	if (path->count)
		qsort(path->stretches, path->count, sizeof *path->stretches, by_thread);
	for (uint32_t i = 0; i < path->count; i++) {
		struct mpi_stretch stretch = path->stretches[i];
		const struct mpi_stretch *before = kept ? &path->stretches[kept - 1] : 0;
		if (before && before->thread == stretch.thread && before->end > stretch.begin)
			stretch.begin = before->end;
		if (stretch.begin < stretch.end)
			path->stretches[kept++] = stretch;
	}
	path->count = kept;
}

struct mpi_critical *mpi_critical_find(struct data *data)
{
	struct mpi_world *world = mpi_world_read(data);
	struct walk walk = {.experiments = data->experiments, .world = world};
	walk.path = memory_new(1, sizeof *walk.path);
	event_filter_visit(data, KIND_MPI, 0, add_batch, &walk);
	walk.ways = mpi_ways_read(data);
	walk_runs(&walk);
	sort_path(walk.path);
	number_map_free(&walk.places);
	free(walk.callers);
	mpi_ways_free(walk.ways);
	mpi_world_free(world);
	return walk.path;
}

void mpi_critical_free(struct mpi_critical *path)
{
	if (!path)
		return;
	free(path->stretches);
	free(path);
}

uint64_t mpi_critical_overlap(const struct mpi_critical *path, uint64_t thread, uint64_t begin, uint64_t end)
{
	uint64_t overlap = 0;
	uint64_t first = FIRST_WHERE(i, path->count, ends_after(&path->stretches[i], thread, begin));
	for (uint64_t i = first; i < path->count; i++) {
		const struct mpi_stretch *stretch = &path->stretches[i];
		if (stretch->thread != thread || stretch->begin >= end)
			break;
		overlap +=
			(stretch->end < end ? stretch->end : end) - (stretch->begin > begin ? stretch->begin : begin);
	}
	return overlap;
}

uint64_t mpi_critical_first(const struct mpi_critical *path, uint64_t thread, uint64_t begin, uint64_t end, bool on)
{
	for (uint64_t i = FIRST_WHERE(s, path->count, ends_after(&path->stretches[s], thread, begin)); i < path->count;
		i++) {
		const struct mpi_stretch *stretch = &path->stretches[i];
		bool here = stretch->thread == thread && stretch->begin <= begin;
		if (!on && here)
			begin = stretch->end;
		else if (on && stretch->thread == thread && stretch->begin < end)
			return here ? begin : stretch->begin;
		else
			break;
	}
	return !on && begin < end ? begin : end;
}

bool mpi_critical_has(const struct mpi_critical *path, uint64_t thread, uint64_t time)
{
	/* A tick stands for the time before it, so the nanosecond before it decides. */
	return time && mpi_critical_overlap(path, thread, time - 1, time);
}
