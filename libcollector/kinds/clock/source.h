/* SPDX-License-Identifier: Apache-2.0 */
/* Where ticks come from: a perf cpu-clock event of the thread, or its CPU-time timer. Each thread has one, chosen when it
   starts, and chosen again if the target takes it away. */
#ifndef SOURCE_H
#define SOURCE_H

#include "split.h"
#include "thread.h"
#include <signal.h>

enum clock_source {
	CLOCK_NONE = STATE_VALUE(THREAD, clock, none),
	CLOCK_PERF = STATE_VALUE(THREAD, clock, perf),
	CLOCK_TIMER = STATE_VALUE(THREAD, clock, timer)
};

/* Gives the calling thread the best source that it may have and starts it, its first tick after `first` nanoseconds of CPU
   time, the others each `interval`. Async-signal-safe. */
void source_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval);
void source_end(struct thread_clock *clock);
/* Stops the ticks, from any thread of the process; source_end() must follow only in the thread itself. */
void source_silence(struct thread_clock *clock);
/* After a tick: the source may tick again. False: it is gone (the target closed its descriptor). */
bool source_rearm(struct thread_clock *clock, uint64_t interval);

/* The perf event (perf_source.c). */
bool perf_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval);
void perf_end(struct thread_clock *clock);
void perf_silence(struct thread_clock *clock);
bool perf_rearm(struct thread_clock *clock, uint64_t interval);
/* The mode that the last tick hit, by its record in the ring; takes the records out. */
enum tick_mode perf_take_mode(struct thread_clock *clock);

/* The thread CPU-time timer (timer_source.c). */
bool timer_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval);
/* The next tick after `first` nanoseconds of CPU time, the others each `interval`. */
bool timer_set(const struct thread_clock *clock, uint64_t first, uint64_t interval);
void timer_end(struct thread_clock *clock);
void timer_silence(struct thread_clock *clock);
bool timer_owns(const siginfo_t *info);

#endif
