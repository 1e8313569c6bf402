/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks along the samples of each thread, and the times off the CPU between them. Counts of an interval are divided among the
   parts in which it ran, by their time. */
#include "sample_intervals.h"
#include "number_map.h"
#include "off_times.h"
#include "search.h"
#include "stack_sums.h"
#include "storage.h"
#include "thread_runs.h"
#include <stdlib.h>

/* A thread, and its last sample. */
struct walker {
	uint32_t experiment, thread;
	uint32_t next, end; /* its times off the CPU after that */
	uint64_t time;
	uint32_t stack;
	bool begun;   /* there is a last sample */
	bool counted; /* it had counts: those of the next are from there on */
};
struct walk {
	struct data *data;
	unsigned (*value_of)[SPACE_VALUES_MAX];
	struct sampled { /* by experiment */
		bool has_readings;
		struct stretch *recorded; /* in times of the experiment */
		uint32_t recorded_count;
	} * sampled;
	struct all_runs runs;
	interval_visitor *visitor;
	void *context;
	struct off_time *offs; /* off_times_read() */
	uint32_t off_count;
	struct walker *walkers;
	uint32_t walker_count;
	struct number_map walker_of; /* by number_pair of experiment and thread */
};
/* A sample with counts, and what is left of them. */
struct sample {
	uint64_t time;
	uint32_t stack;
	bool kept;
	uint32_t known;
	uint64_t counted[SPACE_COUNTERS_MAX];
	uint64_t run_left;     /* time on the CPU that they are of, ns */
	uint64_t user, system; /* in place of counts, if not 0: parts of that time */
};

static unsigned counter_of(const struct walk *walk, uint32_t experiment, unsigned value)
{
	return walk->value_of[experiment][value];
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct walker *walker_of(struct walk *walk, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&walk->walker_of, number_pair(experiment, thread));
	if (*place == NO_NUMBER) {
		*place = walk->walker_count;
		walk->walkers = memory_room(walk->walkers, walk->walker_count, sizeof *walk->walkers);
		walk->walkers[walk->walker_count++] = (struct walker){.experiment = experiment, .thread = thread};
	}
	return &walk->walkers[*place];
}

static void index_off_times(struct walk *walk)
{
	for (uint32_t i = 0; i < walk->off_count; i++) {
		struct walker *walker = walker_of(walk, walk->offs[i].experiment, walk->offs[i].thread);
		walker->next = walker->end ? walker->next : i;
		walker->end = i + 1;
	}
}

/* The part of a time off the CPU that lies between the last sample and this one. */
static uint64_t off_begin(const struct walker *walker, const struct off_time *off, uint64_t until)
{
	return earlier(walker->begun ? later(off->from, walker->time) : off->from, until);
}

static void find_run_time(const struct walk *walk, const struct walker *walker, struct sample *sample)
{
	sample->run_left = sample->time - walker->time;
	for (uint32_t i = walker->next; i < walker->end && walk->offs[i].from < sample->time; i++)
		sample->run_left -= earlier(sample->run_left, later(earlier(walk->offs[i].to, sample->time),
								      off_begin(walker, &walk->offs[i], sample->time)) -
								      off_begin(walker, &walk->offs[i], sample->time));
}

/* Takes the counts of so much time on the CPU out of a sample's. */
static void take_counts(struct sample *sample, struct sample_interval *interval, bool is_last)
{
	uint64_t time = interval->to - interval->from;
	for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++) {
		uint64_t part = is_last            ? sample->counted[i]
				: sample->run_left ? (uint64_t)((__uint128_t)sample->counted[i] *
								earlier(time, sample->run_left) / sample->run_left)
						   : 0;
		interval->counted[i] = part;
		sample->counted[i] -= part;
	}
	sample->run_left -= earlier(time, sample->run_left);
	interval->known = sample->known;
}

/* The thread ran between two times, and is at that stack at the next sample. */
struct run {
	uint64_t from, to;
	uint32_t stack;
	bool kept, goes_on;
	bool is_last; /* until the sample that has the counts */
};

static void visit_run(
	const struct walk *walk, const struct walker *walker, struct sample *sample, const struct run *run)
{
	struct sample_interval interval = {.experiment = walker->experiment,
		.thread = walker->thread,
		.from = run->from,
		.to = later(run->from, run->to),
		.from_stack = walker->stack,
		.to_stack = run->stack,
		.goes_on = run->goes_on};
	if (!walker->begun || (interval.to == interval.from && !run->is_last))
		return;
	take_counts(sample, &interval, run->is_last);
	if (run->kept)
		walk->visitor(walk->context, &interval);
}

static bool is_no_wait(uint32_t state)
{
	return state == STATE_VALUE(OFFCPU, state, runnable) || state == STATE_VALUE(OFFCPU, state, stopped) ||
	       state == STATE_VALUE(OFFCPU, state, unexplained);
}

static void visit_off(const struct walk *walk, const struct walker *walker, const struct off_time *off,
	const struct sample *sample, uint32_t to_stack)
{
	struct sample_interval interval = {.experiment = walker->experiment,
		.thread = walker->thread,
		.from = off_begin(walker, off, sample->time),
		.to = earlier(off->to, sample->time),
		.from_stack = walker->begun ? walker->stack : to_stack,
		.to_stack = to_stack,
		.off_cpu = true,
		.off_stack = off->stack,
		.state = off->state,
		.aside = !off->placed && is_no_wait(off->state)};
	unsigned counter = counter_of(walk, walker->experiment, VALUE_OFFCPU);
	if (interval.to <= interval.from)
		return;
	for (unsigned value = VALUE_USER; value < SPACE_VALUES_MAX; value++)
		if (counter_of(walk, walker->experiment, value) != SPACE_COUNTERS_MAX)
			interval.known |= 1u << counter_of(walk, walker->experiment, value);
	if (counter != SPACE_COUNTERS_MAX)
		interval.counted[counter] = interval.to - interval.from;
	if (off->kept)
		walk->visitor(walk->context, &interval);
}

/* Visits what is before the next sample of which the place is known: the thread ran, but for times off the CPU at unknown places,
   which end before the index `end`. */
static void visit_stretch(
	const struct walk *walk, struct walker *walker, struct sample *sample, uint32_t end, struct run run)
{
	uint64_t until = run.to;
	bool is_last = run.is_last;
	run.from = walker->begun ? walker->time : run.to;
	run.is_last = false;
	for (uint32_t i = walker->next; i < end; i++) {
		run.to = off_begin(walker, &walk->offs[i], until);
		visit_run(walk, walker, sample, &run);
		run.goes_on |= walker->begun && run.to > run.from;
		visit_off(walk, walker, &walk->offs[i], sample, run.stack);
		run.from = walker->begun ? later(run.to, earlier(walk->offs[i].to, until)) : run.from;
	}
	run.to = until;
	run.is_last = is_last;
	visit_run(walk, walker, sample, &run);
	walker->next = end;
}

static void move_to(struct walker *walker, uint64_t time, uint32_t stack)
{
	walker->begun = true;
	walker->time = time;
	walker->stack = stack;
}

/* The first of the thread's next times off the CPU that is at a known place, or of which the begin is not before that time; their
   end: there is none. */
static uint32_t next_placed(const struct walk *walk, const struct walker *walker, uint64_t until)
{
	uint32_t i = walker->next;
	while (i < walker->end && walk->offs[i].from < until && !walk->offs[i].placed)
		i++;
	return i;
}

/* Goes on to those times off the CPU at known places that begin before the sample. */
static void cross_waits(const struct walk *walk, struct walker *walker, struct sample *sample)
{
	for (uint32_t i = next_placed(walk, walker, sample->time); i < walker->end && walk->offs[i].from < sample->time;
		i = next_placed(walk, walker, sample->time)) {
		const struct off_time *off = &walk->offs[i];
		visit_stretch(walk, walker, sample, i,
			(struct run){
				.to = off_begin(walker, off, sample->time), .stack = off->stack, .kept = off->kept});
		visit_off(walk, walker, off, sample, off->stack);
		move_to(walker, later(off_begin(walker, off, sample->time), earlier(off->to, sample->time)),
			off->stack);
		if (off->to > sample->time)
			return;
		walker->next = i + 1;
	}
}

static void set_count(
	const struct walk *walk, const struct walker *walker, struct sample *sample, unsigned value, uint64_t count)
{
	unsigned counter = counter_of(walk, walker->experiment, value);
	if (counter == SPACE_COUNTERS_MAX)
		return;
	sample->known |= 1u << counter;
	sample->counted[counter] = count;
}

/* The time on the CPU, by the parts. */
static void set_parts(const struct walk *walk, const struct walker *walker, struct sample *sample)
{
	uint64_t user = (uint64_t)((__uint128_t)sample->run_left * sample->user / (sample->user + sample->system));
	set_count(walk, walker, sample, VALUE_USER, user);
	set_count(walk, walker, sample, VALUE_SYSTEM, sample->run_left - user);
}

/* Forgets a sample after which the recording paused. */
static void forget_before_pause(const struct walk *walk, struct walker *walker, uint64_t time)
{
	const struct sampled *sampled = &walk->sampled[walker->experiment];
	uint64_t start = walk->data->experiments[walker->experiment].start_offset;
	uint32_t next = (uint32_t)FIRST_WHERE(i, sampled->recorded_count, sampled->recorded[i].from + start > time);
	if (next && sampled->recorded[next - 1].from + start > walker->time)
		walker->begun = walker->counted = false;
}

static void cross(const struct walk *walk, struct walker *walker, struct sample *sample)
{
	if (walker->begun)
		forget_before_pause(walk, walker, sample->time);
	find_run_time(walk, walker, sample);
	if (sample->user + sample->system)
		set_parts(walk, walker, sample);
	cross_waits(walk, walker, sample);
	bool cut = walker->next < walker->end && walk->offs[walker->next].placed &&
		   walk->offs[walker->next].from < sample->time;
	visit_stretch(walk, walker, sample, cut ? walker->next : next_placed(walk, walker, sample->time),
		(struct run){.to = sample->time, .stack = sample->stack, .kept = sample->kept, .is_last = true});
	move_to(walker, later(walker->time, sample->time), sample->stack);
	walker->counted = true;
}

/* After its last sample with counts a thread has times off the CPU only. */
static void finish(const struct walk *walk, struct walker *walker)
{
	struct sample sample = {.time = UINT64_MAX};
	cross_waits(walk, walker, &sample);
	for (; walker->next < walker->end; walker->next++)
		visit_off(walk, walker, &walk->offs[walker->next], &sample, walker->stack);
}

/* Whether all of the thread's times off the CPU are known. */
static bool knows_runs(const struct walk *walk, const struct walker *walker)
{
	uint32_t runs = thread_runs_find(&walk->runs, walker->experiment, walker->thread);
	return runs != NO_NUMBER && walk->runs.threads[runs].exact;
}

static void take_readings(void *context, const struct data_batch *batch, const bool *kept)
{
	struct walk *walk = context;
	uint32_t experiment = (uint32_t)(batch->experiment - walk->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		struct walker *walker = walker_of(walk, experiment, batch->thread[i]);
		struct sample sample = {.time = batch->time[i], .stack = batch->stack[i], .kept = !kept || kept[i]};
		uint64_t known = batch->field[FIELD_INDEX(READING, known)][i];
		for (unsigned v = 0; walker->counted && v < READINGS_MAX; v++)
			if (known & 1u << v)
				set_count(walk, walker, &sample, v, batch->field[FIELD_INDEX(READING, value0) + v][i]);
		if (walker->counted && knows_runs(walk, walker))
			set_count(walk, walker, &sample, VALUE_OFFCPU, 0);
		cross(walk, walker, &sample);
	}
}

/* The CPU time since the tick before. Of ticks that come late together, one has that of all; where it is known when the thread ran,
   that is told apart by where the tick hit. */
static void take_times(const struct walk *walk, const struct walker *walker, struct sample *sample,
	const struct data_batch *batch, uint32_t event)
{
	uint64_t mode = batch->field[FIELD_INDEX(CLOCK, mode)][event];
	uint64_t user = batch->field[FIELD_INDEX(CLOCK, user)][event];
	uint64_t system = batch->field[FIELD_INDEX(CLOCK, system)][event];
	set_count(walk, walker, sample, VALUE_USER, user);
	set_count(walk, walker, sample, VALUE_SYSTEM, system);
	if (!knows_runs(walk, walker))
		return;
	set_count(walk, walker, sample, VALUE_OFFCPU, 0);
	bool known = mode != STATE_VALUE(CLOCK, mode, unknown);
	sample->user = known ? mode == STATE_VALUE(CLOCK, mode, user) : user;
	sample->system = known ? mode == STATE_VALUE(CLOCK, mode, kernel) : system;
}

static void take_ticks(void *context, const struct data_batch *batch, const bool *kept)
{
	struct walk *walk = context;
	uint32_t experiment = (uint32_t)(batch->experiment - walk->data->experiments);
	const uint64_t *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	for (uint32_t i = 0; i < batch->count && !walk->sampled[experiment].has_readings; i++) {
		if (!data_is_tick(mode[i]))
			continue;
		struct walker *walker = walker_of(walk, experiment, batch->thread[i]);
		struct sample sample = {.time = batch->time[i], .stack = batch->stack[i], .kept = !kept || kept[i]};
		if (walker->counted)
			take_times(walk, walker, &sample, batch, i);
		cross(walk, walker, &sample);
	}
}

void sample_intervals_visit(struct data *data, unsigned (*value_of)[SPACE_VALUES_MAX],
	const struct event_filter *filter, interval_visitor *visitor, void *context)
{
	struct walk walk = {.data = data,
		.value_of = value_of,
		.sampled = memory_new(data->experiment_count, sizeof *walk.sampled),
		.visitor = visitor,
		.context = context};
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		struct sampled *sampled = &walk.sampled[e];
		sampled->has_readings = experiment_has_kind(data->experiments[e].file, KIND_READING);
		sampled->recorded = recorded_stretches(data->experiments[e].file, &sampled->recorded_count);
	}
	thread_runs_read(&walk.runs, data);
	walk.offs = off_times_read(data, filter, &walk.off_count);
	index_off_times(&walk);
	event_filter_mark_threads_in_time(data, KIND_READING, filter, take_readings, &walk);
	event_filter_mark_threads_in_time(data, KIND_CLOCK, filter, take_ticks, &walk);
	for (uint32_t w = 0; w < walk.walker_count; w++)
		finish(&walk, &walk.walkers[w]);
	number_map_free(&walk.walker_of);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		free(walk.sampled[e].recorded);
	free(walk.sampled);
	thread_runs_free(&walk.runs);
	free(walk.walkers);
	free(walk.offs);
}
