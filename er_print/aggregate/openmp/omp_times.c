/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events, those of each thread in the order of time, makes spans of them. Tasks and waits have an event at their
   ends, and their own time: what ran inside of them has ended before, and was that much longer. */
#include "omp_times.h"
#include "omp_spans.h"
#include "recorded_time.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A task or wait that has ended. */
struct inner {
	uint64_t from, to, region;
	uint64_t run; /* of that time tasks ran; all of it, if it is a task */
	uint32_t span;
};
struct member {
	uint32_t region, span;
};
struct thread {
	uint32_t experiment, place; /* of times->thread_times */
	struct omp_spans spans;
	struct member *members; /* the innermost last */
	uint32_t member_count, member_capacity;
	struct inner *inner;
	uint32_t inner_count, inner_capacity;
	uint64_t left;      /* when it last ended its work in a region */
	uint32_t beginning; /* the span of a region that it begins, until it is a member; NO_NUMBER: none */
	bool begins, works; /* it has begun a region; it has worked in one that another thread began */
};
struct pass {
	struct omp_times *times;
	struct thread *threads; /* by place */
	uint32_t capacity;
};

/* Shorter waits are in sums (FORMAT.md). */
enum { SUMMED_WAIT = 10000 };

static uint32_t region_of(struct omp_process *process, uint64_t number)
{
	uint32_t *place = number_map_place(&process->numbers, number);
	if (*place == NO_NUMBER) {
		*place = process->region_count;
		memory_reserve(process->regions, process->region_count, process->region_capacity);
		process->regions[process->region_count++] = (struct omp_instance){.number = number};
	}
	return *place;
}

static uint32_t new_task(struct omp_process *process, uint64_t number, uint64_t parent)
{
	memory_reserve(process->tasks, process->task_count, process->task_capacity);
	process->tasks[process->task_count] = (struct omp_task_number){number, parent};
	return process->task_count++;
}

static uint32_t add_span(struct thread *thread, struct omp_span span)
{
	memory_reserve(thread->spans.spans, thread->spans.count, thread->spans.capacity);
	thread->spans.spans[thread->spans.count] = span;
	return thread->spans.count++;
}

static void begin_region(struct thread *thread, uint32_t region, uint64_t time)
{
	thread->begins = true;
	thread->beginning = add_span(thread,
		(struct omp_span){
			.from = time, .to = OMP_OPEN, .region = region, .task = NO_NUMBER, .state = OMP_OVERHEAD});
}

static void begin_member(struct thread *thread, uint32_t region, uint64_t time)
{
	struct omp_span *beginning = thread->beginning == NO_NUMBER ? 0 : &thread->spans.spans[thread->beginning];
	if (beginning && beginning->region == region)
		beginning->to = time;
	else
		thread->works = true;
	thread->beginning = NO_NUMBER;
	uint32_t span = add_span(
		thread, (struct omp_span){
				.from = time, .to = OMP_OPEN, .region = region, .task = NO_NUMBER, .state = OMP_WORK});
	if (!thread->member_count)
		thread->inner_count = 0;
	memory_reserve(thread->members, thread->member_count, thread->member_capacity);
	thread->members[thread->member_count++] = (struct member){region, span};
}

/* Inner ones that did not end were left in a way that nobody told us. */
static void end_member(struct thread *thread, uint32_t region, uint64_t time)
{
	uint32_t depth = thread->member_count;
	while (depth && thread->members[depth - 1].region != region)
		depth--;
	if (!depth)
		return;
	while (thread->member_count >= depth)
		thread->spans.spans[thread->members[--thread->member_count].span].to = time;
	if (!thread->member_count)
		thread->inner_count = 0;
	thread->left = time;
	add_span(thread, (struct omp_span){.from = time,
				 .to = OMP_OPEN,
				 .region = region,
				 .task = NO_NUMBER,
				 .state = OMP_IMPLICIT_BARRIER,
				 .until_region = true});
}

static void end_region(struct thread *thread, uint32_t region, uint64_t time)
{
	struct omp_span *beginning = thread->beginning == NO_NUMBER ? 0 : &thread->spans.spans[thread->beginning];
	if (beginning && beginning->region == region) {
		beginning->to = time;
		thread->beginning = NO_NUMBER;
	}
}

/* A span of what has just ended: when it began follows from its own time and from what is inside. That is not exact, as times and
   durations are recorded apart: most of what is inside must be after the begin, and it does not begin before what it is in. */
static void add_ended(struct thread *thread, struct omp_span span, uint64_t region, uint64_t own, bool task)
{
	uint64_t run = 0, floor = thread->member_count
					  ? thread->spans.spans[thread->members[thread->member_count - 1].span].from
					  : thread->left;
	uint32_t first = thread->inner_count;
	span.from = span.to > own ? span.to - own : 0;
	for (; first; first--) {
		const struct inner *last = &thread->inner[first - 1];
		if (last->from + (last->to - last->from) / 2 < span.from)
			break;
		uint64_t within = last->region == region ? last->run : 0;
		run += within;
		span.from = span.from > within ? span.from - within : 0;
	}
	span.from = span.from < floor && floor < span.to ? floor : span.from;
	for (uint32_t i = first; i < thread->inner_count; i++)
		if (thread->spans.spans[thread->inner[i].span].from < span.from)
			thread->spans.spans[thread->inner[i].span].from = span.from;
	thread->inner_count = first;
	memory_reserve(thread->inner, thread->inner_count, thread->inner_capacity);
	thread->inner[thread->inner_count++] = (struct inner){.from = span.from,
		.to = span.to,
		.region = region,
		.run = task ? span.to - span.from : run,
		.span = add_span(thread, span)};
}

static void end_task(struct pass *pass, struct thread *thread, const struct data_batch *batch, uint32_t i)
{
	struct omp_process *process = &pass->times->processes[thread->experiment];
	uint64_t number = batch->field[FIELD_INDEX(OPENMP, region)][i];
	uint64_t own = batch->field[FIELD_INDEX(OPENMP, duration)][i];
	struct omp_span span = {.to = batch->time[i],
		.region = region_of(process, number),
		.task = new_task(process, batch->field[FIELD_INDEX(OPENMP, task)][i],
			batch->field[FIELD_INDEX(OPENMP, parent)][i]),
		.state = OMP_WORK};
	add_ended(thread, span, number, own, true);
}

static void end_wait(struct pass *pass, struct thread *thread, const struct data_batch *batch, uint32_t i)
{
	struct omp_process *process = &pass->times->processes[thread->experiment];
	uint64_t number = batch->field[FIELD_INDEX(OPENMP, region)][i];
	uint64_t own = batch->field[FIELD_INDEX(OPENMP, duration)][i];
	if (batch->field[FIELD_INDEX(OPENMP, waits)][i] != 1 || own < SUMMED_WAIT)
		return;
	struct omp_span span = {.to = batch->time[i],
		.region = region_of(process, number),
		.task = NO_NUMBER,
		.stack = batch->stack[i],
		.state = omp_state_at(batch->field[FIELD_INDEX(OPENMP, construct)][i])};
	add_ended(thread, span, number, own, false);
}

static void add_event(struct pass *pass, struct thread *thread, const struct data_batch *batch, uint32_t i)
{
	struct omp_process *process = &pass->times->processes[thread->experiment];
	uint32_t region = region_of(process, batch->field[FIELD_INDEX(OPENMP, region)][i]);
	uint64_t time = batch->time[i];
	switch (batch->field[FIELD_INDEX(OPENMP, what)][i]) {
	case STATE_VALUE(OPENMP, what, region_begin):
		process->regions[region].parent = batch->field[FIELD_INDEX(OPENMP, parent)][i];
		process->regions[region].stack = batch->stack[i];
		begin_region(thread, region, time);
		break;
	case STATE_VALUE(OPENMP, what, region_end):
		process->regions[region].end = time;
		process->regions[region].ended = true;
		end_region(thread, region, time);
		break;
	case STATE_VALUE(OPENMP, what, member_begin):
		begin_member(thread, region, time);
		break;
	case STATE_VALUE(OPENMP, what, member_end):
		end_member(thread, region, time);
		break;
	case STATE_VALUE(OPENMP, what, task):
		end_task(pass, thread, batch, i);
		break;
	case STATE_VALUE(OPENMP, what, wait):
		end_wait(pass, thread, batch, i);
		break;
	default:
		break;
	}
}

static struct thread *thread_of(struct pass *pass, const struct data_batch *batch)
{
	struct omp_times *times = pass->times;
	uint32_t experiment = (uint32_t)(batch->experiment - times->data->experiments);
	uint32_t *place = number_map_place(&times->threads, number_pair(experiment, batch->thread[0]));
	if (*place == NO_NUMBER) {
		*place = times->thread_count;
		memory_reserve(times->thread_times, times->thread_count, times->thread_capacity);
		memory_reserve(pass->threads, times->thread_count, pass->capacity);
		times->thread_times[times->thread_count] = (struct omp_thread_times){.experiment = experiment};
		pass->threads[times->thread_count++] =
			(struct thread){.experiment = experiment, .place = *place, .beginning = NO_NUMBER};
	}
	return &pass->threads[*place];
}

/* All events of the batch are of one thread. */
static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	struct thread *thread = batch->count ? thread_of(pass, batch) : 0;
	for (uint32_t i = 0; i < batch->count; i++)
		add_event(pass, thread, batch, i);
}

/* Regions, members and waits that had not ended last until recording did. */
static void finish(struct pass *pass, struct thread *thread, const uint64_t *ends)
{
	const struct omp_process *process = &pass->times->processes[thread->experiment];
	for (uint32_t i = 0; i < thread->spans.count; i++) {
		struct omp_span *span = &thread->spans.spans[i];
		const struct omp_instance *region = &process->regions[span->region];
		if (span->to == OMP_OPEN)
			span->to = span->until_region && region->ended ? region->end : ends[thread->experiment];
	}
	enum omp_state between = thread->works ? OMP_IDLE : thread->begins ? OMP_SERIAL : OMP_NONE;
	omp_spans_changes(&thread->spans, between, &pass->times->thread_times[thread->place]);
	free(thread->spans.spans);
	free(thread->members);
	free(thread->inner);
}

struct omp_times *omp_times_read(struct data *data)
{
	struct omp_times *times = memory_new(1, sizeof *times);
	struct pass pass = {.times = times};
	times->data = data;
	times->process_count = data->experiment_count;
	times->processes = memory_new(data->experiment_count, sizeof *times->processes);
	uint64_t *ends = memory_new(data->experiment_count, sizeof *ends);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		ends[e] = data->experiments[e].start_offset + recorded_end(data->experiments[e].file);
	data_visit_threads_in_time(data, KIND_OPENMP, add_batch, &pass);
	for (uint32_t t = 0; t < times->thread_count; t++)
		finish(&pass, &pass.threads[t], ends);
	free(pass.threads);
	free(ends);
	return times;
}

void omp_times_free(struct omp_times *times)
{
	if (!times)
		return;
	for (uint32_t e = 0; e < times->process_count; e++) {
		number_map_free(&times->processes[e].numbers);
		free(times->processes[e].regions);
		free(times->processes[e].tasks);
	}
	for (uint32_t t = 0; t < times->thread_count; t++)
		free(times->thread_times[t].changes);
	number_map_free(&times->threads);
	free(times->thread_times);
	free(times->processes);
	free(times);
}

const struct omp_thread_times *omp_times_of(const struct omp_times *times, uint32_t experiment, uint32_t thread)
{
	uint32_t place = number_map_find(&times->threads, number_pair(experiment, thread));
	return place == NO_NUMBER ? 0 : &times->thread_times[place];
}

struct omp_change omp_times_at(const struct omp_times *times, uint32_t experiment, uint32_t thread, uint64_t time)
{
	const struct omp_thread_times *of = omp_times_of(times, experiment, thread);
	uint64_t after = of ? FIRST_WHERE(i, of->count, of->changes[i].time > time) : 0;
	return after ? of->changes[after - 1] : (struct omp_change){0, NO_NUMBER, NO_NUMBER, 0, OMP_NONE};
}

const struct omp_instance *omp_region_of(
	const struct omp_times *times, uint32_t experiment, const struct omp_change *change)
{
	return change->region == NO_NUMBER ? 0 : &times->processes[experiment].regions[change->region];
}

const struct omp_task_number *omp_task_of(
	const struct omp_times *times, uint32_t experiment, const struct omp_change *change)
{
	return change->task == NO_NUMBER ? 0 : &times->processes[experiment].tasks[change->task];
}

const struct omp_instance *omp_region_numbered(const struct omp_times *times, uint32_t experiment, uint64_t number)
{
	uint32_t place = number_map_find(&times->processes[experiment].numbers, number);
	return place == NO_NUMBER ? 0 : &times->processes[experiment].regions[place];
}
