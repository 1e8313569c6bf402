/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing a thread's source of ticks. */
#include "source.h"
#include "collector.h"
#include "system_calls.h"
#include <time.h>

/* The kernel fires the timer of a perf software event no sooner than this after it was set. */
#define PERF_RESOLUTION 10000u

static uint64_t resolution_of(const struct thread_clock *clock)
{
	if (clock->source == CLOCK_PERF)
		return PERF_RESOLUTION;
	/* CPU-time timers are looked at once in a tick of the kernel, which is this clock's step. */
	struct timespec tick;
	if (clock->source == CLOCK_TIMER && system_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick) == 0)
		return (uint64_t)tick.tv_nsec;
	return 0;
}

static void choose(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval)
{
	uint64_t wanted = collector.settings.clock_source;
	clock->descriptor = clock->signal_descriptor = -1;
	/* The source is named before it is started: its first tick may come at once. */
	clock->source = CLOCK_PERF;
	if (wanted != SETTING_VALUE(clock_source, timer) && !clock->thin && perf_begin(clock, tid, first, interval))
		return;
	clock->source = CLOCK_TIMER;
	if (wanted != SETTING_VALUE(clock_source, perf) && timer_begin(clock, tid, first, interval))
		return;
	clock->source = CLOCK_NONE;
}

void source_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval)
{
	choose(clock, tid, first, interval);
	clock->resolution = resolution_of(clock);
}

void source_end(struct thread_clock *clock)
{
	perf_end(clock);
	timer_end(clock);
	clock->source = CLOCK_NONE;
}

void source_silence(struct thread_clock *clock)
{
	perf_silence(clock);
	timer_silence(clock);
}

__attribute__((hot)) bool source_rearm(struct thread_clock *clock, uint64_t interval)
{
	return clock->source != CLOCK_PERF || perf_rearm(clock, interval);
}
