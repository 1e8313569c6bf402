/* SPDX-License-Identifier: Apache-2.0 */
/* The kind reading: what counters have counted from one clock tick of a thread to the next. */
#include "collector.h"
#include "cpu.h"
#include "cpu_time.h"
#include "descriptors.h"
#include "kind.h"
#include "pages.h"
#include "reading_groups.h"
#include "system_calls.h"
#include "thread.h"
#include <sys/resource.h>

struct thread_readings {
	struct reading_groups groups;
	struct reading last;
	uint64_t passed_over; /* of the thread's clock, at the last reading */
	bool begun;
};

static bool wants_account, wants_times; /* some counter is of the thread's account, or adds up raw time */

static bool is_time(const struct overflow_counter *counter)
{
	return counter->type == TYPE_SUM && counter->units == UNITS_NANOSECONDS;
}

static uint64_t account_of(const struct rusage *usage, uint64_t counter)
{
	switch ((enum account_counter)counter) {
	case ACCOUNT_PAGE_FAULTS:
		return (uint64_t)usage->ru_minflt + (uint64_t)usage->ru_majflt;
	case ACCOUNT_MINOR_FAULTS:
		return (uint64_t)usage->ru_minflt;
	case ACCOUNT_MAJOR_FAULTS:
		return (uint64_t)usage->ru_majflt;
	case ACCOUNT_SWITCHES:
		return (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
	case ACCOUNT_USER:
		return timeval_nanoseconds(&usage->ru_utime);
	case ACCOUNT_SYSTEM:
		return timeval_nanoseconds(&usage->ru_stime);
	}
	return 0;
}

/* Reads the counters that are no perf events. */
static void read_own(const struct thread *thread, struct wanted_counters wanted, struct reading *reading)
{
	struct rusage usage;
	bool accounted = wants_account && system_call(SYS_getrusage, RUSAGE_THREAD, &usage) == 0;
	for (unsigned i = 0; i < wanted.count; i++) {
		const struct overflow_counter *counter = &wanted.counter[i];
		bool account = counter->type == TYPE_ACCOUNT, sum = counter->type == TYPE_SUM;
		if (!(account && accounted) && !(sum && counter->config < SUM_COUNT))
			continue;
		reading->value[i] = account ? account_of(&usage, counter->config) : thread->sums[counter->config];
		reading->known |= 1u << i;
		reading->continuous |= 1u << i;
	}
}

/* The difference of two readings of a counter. */
static uint64_t counted(
	const struct overflow_counter *counter, uint64_t before, uint64_t now, const struct time_triple *time)
{
	return is_time(counter) ? time_nanoseconds_of(now - before, time) : now - before;
}

/* Writes what has been counted since the last reading. */
static void write_reading(struct thread *thread, struct wanted_counters wanted, const struct reading *last,
	const struct reading *now, uint32_t stack)
{
	uint64_t fields[FIELD_INDEX(READING, value0) + READINGS_MAX] = {0};
	struct time_triple time = {.raw = 0};
	if (wants_times)
		time_now(&time);
	uint32_t known = last->known & now->known & now->continuous;
	for (unsigned i = 0; i < wanted.count; i++)
		if ((known & 1u << i) && now->value[i] < last->value[i])
			known &= ~(1u << i);
		else if (known & 1u << i)
			fields[FIELD_INDEX(READING, value0) + i] =
				counted(&wanted.counter[i], last->value[i], now->value[i], &time);
	fields[FIELD_INDEX(READING, known)] = known;
	struct event_head head = {.time = thread->clock.tick_time,
		.cpu = thread->elsewhere ? current_cpu_by_kernel() : current_cpu(),
		.stack = stack};
	if (!event_append(&thread->streams[KIND_READING], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

static void ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	(void)context;
	struct thread_readings *readings = thread->readings;
	if (!readings || !readings->begun)
		return;
	struct wanted_counters wanted = wanted_readings();
	/* The counts of a pause are nobody's. */
	if (readings->passed_over != thread->clock.passed_over)
		readings->last.known = 0;
	readings->passed_over = thread->clock.passed_over;
	struct reading now = {.known = 0};
	reading_groups_read(&readings->groups, &now);
	read_own(thread, wanted, &now);
	write_reading(thread, wanted, &readings->last, &now, stack);
	readings->last = now;
}

static bool wanted(void)
{
	return wanted_readings().count && collector.settings.clock_interval && !collector.traced;
}

static void start(void)
{
	struct wanted_counters wanted = wanted_readings();
	for (unsigned i = 0; i < wanted.count; i++) {
		wants_account |= wanted.counter[i].type == TYPE_ACCOUNT;
		wants_times |= is_time(&wanted.counter[i]);
	}
	descriptors_start();
}

static void thread_start(struct thread *thread)
{
	struct thread_readings *readings = thread->readings;
	if (!readings)
		readings = pages_map(sizeof *readings);
	if (!readings) {
		count(TALLY_events_lost_memory, 1);
		return;
	}
	*readings = (struct thread_readings){.passed_over = 0};
	if (!reading_groups_open(&readings->groups, wanted_readings()))
		count(TALLY_threads_without_readings, 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	readings->begun = true;
	thread->readings = readings;
}

/* No tick may find what is closed. */
static void thread_stop(struct thread *thread)
{
	struct thread_readings *readings = thread->readings;
	if (!readings)
		return;
	readings->begun = false;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reading_groups_close(&readings->groups);
}

const struct kind_operations reading_operations = {
	.wanted = wanted, .start = start, .thread_start = thread_start, .thread_stop = thread_stop, .ticked = ticked};
