/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments with thread states, written by a test, and the events of a metric in them. The test says before how many nanoseconds
   its unit of time has (UNIT), and which metric it is (TESTED). */
#ifndef STATES_RUN_H
#define STATES_RUN_H

#include "metric_events.h"
#include "stack_sums.h"
#include "storage.h"
#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNEXPLAINED = STATE_VALUE(OFFCPU, state, unexplained) };
enum { RUNNABLE = STATE_VALUE(OFFCPU, state, runnable), LOCK = STATE_VALUE(OFFCPU, state, lock) };
enum { FILES = STATE_VALUE(OFFCPU, state, file), CHILD = STATE_VALUE(OFFCPU, state, child) };
enum { BLOCKED = STATE_VALUE(OFFCPU, state, blocked) };
enum { WAKING = STATE_VALUE(OFFCPU, state, waking) };
enum { PERF = STATE_VALUE(THREAD, clock, perf), TIMER = STATE_VALUE(THREAD, clock, timer) };

static char scratch[] = "/tmp/states-test.XXXXXX";

static inline void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static inline void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

static inline void life(struct synthetic *s, uint32_t thread, uint64_t clock, uint64_t begin, uint64_t end)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(THREAD, clock)] = clock};
	synthetic_event(s, KIND_THREAD, thread, begin * UNIT, 0, fields);
	fields[FIELD_INDEX(THREAD, what)] = STATE_VALUE(THREAD, what, end);
	synthetic_event(s, KIND_THREAD, thread, end * UNIT, 0, fields);
}

static inline void tick(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t used)
{
	synthetic_clock(s, thread, time * UNIT, 0, used * UNIT, 0);
}

static inline void off_for(
	struct synthetic *s, uint32_t thread, uint64_t from, uint64_t to, uint64_t state, uint64_t object)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OFFCPU, duration)] = (to - from) * UNIT,
		[FIELD_INDEX(OFFCPU, state)] = state,
		[FIELD_INDEX(OFFCPU, object)] = object};
	synthetic_event(s, KIND_OFFCPU, thread, to * UNIT, 0, fields);
}

static inline void off(struct synthetic *s, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	off_for(s, thread, from, to, state, 0);
}

/* The events with a value must be those: by experiment, thread and time. */
struct expected {
	uint32_t thread;
	uint64_t time, value;
};

static inline void check(const char *path, const struct expected *expected, size_t count, uint64_t sum)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	const struct metric_table *metrics = metrics_builtin();
	int tested = metric_find(metrics, TESTED);
	ck_assert_int_ge(tested, 0);
	struct metric_events events = metric_events_read(data, metrics, (unsigned)tested, 0);
	ck_assert_uint_eq(events.count, count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(events.all[i].thread, expected[i].thread);
		ck_assert_uint_eq(events.all[i].time, expected[i].time * UNIT);
		ck_assert_uint_eq(events.all[i].value, expected[i].value * UNIT);
	}
	bool *wanted = memory_new(metrics->count, sizeof *wanted);
	wanted[tested] = true;
	struct stack_sums *sums = stack_sums_compute(data, metrics, 0, wanted);
	ck_assert_uint_eq(sums->total[tested], sum * UNIT);
	stack_sums_free(sums);
	free(wanted);
	free(events.all);
	data_destroy(data);
}
#define CHECK(path, sum, ...)                                                                                          \
	check(path, (const struct expected[]){__VA_ARGS__},                                                            \
		sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected), sum)

#endif
