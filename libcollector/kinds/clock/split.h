/* SPDX-License-Identifier: Apache-2.0 */
/* The weight of a tick: the CPU time since the previous one, split into user and system. Arithmetic only. */
#ifndef SPLIT_H
#define SPLIT_H

#include "cpu_time.h"
#include "kinds.h"
#include "thread.h"

/* Where a tick hit. */
enum tick_mode {
	TICK_UNKNOWN = STATE_VALUE(CLOCK, mode, unknown),
	TICK_USER = STATE_VALUE(CLOCK, mode, user),
	TICK_KERNEL = STATE_VALUE(CLOCK, mode, kernel),
	TICK_REMAINDER = STATE_VALUE(CLOCK, mode, remainder),
	TICK_COLLECTOR = STATE_VALUE(CLOCK, mode, collector),
	TICK_START = STATE_VALUE(CLOCK, mode, start)
};

struct tick_weight {
	uint64_t user, system; /* nanoseconds */
};

/* Sets the point from which the first tick counts. */
void split_begin(struct thread_clock *clock, const struct cpu_time *now);

/* The kernel accounts by looking once in a tick of its own, of 1 to 10 ms, and shows no mode's time ever decrease: read too
   early and too often, the first of few looks stick. */
#define ACCOUNT_TRUSTED 40000000u /* ns of CPU time from which on it is used */
#define ACCOUNT_STEP    8000000u  /* ns in which it hardly learns something new */

/* Whether a reading of the clock at `cpu` in this mode needs the kernel's accounting. Without it the time since the last tick
   counts as of the tick's own mode, and the next reading corrects that. */
bool split_wants_account(const struct thread_clock *clock, uint64_t cpu, enum tick_mode mode);

/* The weight of a tick on `stack` at `now`. In a known mode it gets the time of that mode that no earlier tick got, and the
   other mode's time waits for a tick of that mode; else it gets both. Over a thread's life, with split_rest(), the weights'
   sum is exactly the CPU time that passed. */
struct tick_weight split_tick(
	struct thread_clock *clock, const struct cpu_time *now, enum tick_mode mode, uint32_t stack);

/* After a tick in user mode that was handled until `cpu`: nearly all of that was work of the kernel, on our behalf, where the tick
   hit. The next tick in user mode gets it, as system time; else the target's own system calls would. */
void split_handled(struct thread_clock *clock, uint64_t cpu);

/* Counts the time since the last reading without a tick: as the target's (user time unless `now` is accounted), or as
   spent by the kernel on our behalf. */
void split_pass(struct thread_clock *clock, const struct cpu_time *now);
void split_overhead(struct thread_clock *clock, const struct cpu_time *now);

/* Counts the time since the last reading as the collector's own and returns it; what waits for a tick goes on to wait. */
struct tick_weight split_own(struct thread_clock *clock, const struct cpu_time *now);

/* Whether more waits for a tick of its mode than this, or than one interval, ns. It is what a killed process loses, beside the
   time since its last tick; and the kernel's accounting may see a mode in which no tick of ours comes. */
#define WAITING_MOST 10000000u
bool split_waits_long(const struct thread_clock *clock, uint64_t interval);

/* Takes what no tick has got, and the stacks that it belongs to: the last one of the mode, else the last one, else 0. */
struct split_rest {
	struct tick_weight weight;
	uint32_t user_stack, system_stack;
};
struct split_rest split_rest(struct thread_clock *clock);

#endif
