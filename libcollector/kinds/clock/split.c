/* SPDX-License-Identifier: Apache-2.0 */
/* The weight of a tick: see split.h. */
#include "split.h"

__attribute__((hot)) bool split_wants_account(const struct thread_clock *clock, uint64_t cpu, enum tick_mode mode)
{
	if (mode == TICK_UNKNOWN)
		return true;
	return cpu >= ACCOUNT_TRUSTED && cpu - clock->last_account >= ACCOUNT_STEP;
}

/* User time of what passed since the last reading. The clock says how much passed, exactly; the accounting how much of all
   was user time; system time is the rest. Its rounding and corrections must not make either run backwards. */
static uint64_t user_of(
	const struct thread_clock *clock, const struct cpu_time *now, uint64_t passed, enum tick_mode mode)
{
	if (!now->accounted)
		return mode == TICK_KERNEL ? 0 : passed;
	if (now->system == 0) /* it has not seen the thread in the kernel yet; what user lacks is rounding */
		return passed;
	uint64_t user = now->user > clock->last_user ? now->user - clock->last_user : 0;
	return user < passed ? user : passed;
}

static bool settled(uint64_t counted, uint64_t accounted)
{
	return counted < accounted + ACCOUNT_STEP / 100 && accounted < counted + ACCOUNT_STEP / 100;
}

/* Moves the time since the previous reading into the pending sums. */
static void take_time(struct thread_clock *clock, const struct cpu_time *now, enum tick_mode mode)
{
	uint64_t cpu = now->cpu > clock->last_cpu ? now->cpu : clock->last_cpu;
	uint64_t passed = cpu - clock->last_cpu;
	uint64_t user = user_of(clock, now, passed, mode);
	if (now->accounted) /* what could not be corrected at once is, tick by tick */
		clock->last_account = settled(clock->last_user + user, now->user) ? cpu : 0;
	clock->pending_user += user;
	clock->pending_system += passed - user;
	clock->last_user += user;
	clock->last_system += passed - user;
	clock->last_cpu = cpu;
}

void split_begin(struct thread_clock *clock, const struct cpu_time *now)
{
	clock->last_cpu = clock->last_account = now->cpu;
	clock->last_user = now->user < now->cpu ? now->user : now->cpu;
	clock->last_system = now->cpu - clock->last_user;
	clock->pending_user = clock->pending_system = clock->handling = 0;
	clock->last_stack = clock->last_user_stack = clock->last_system_stack = 0;
}

/* The part of the pending system time that was for handling ticks in user mode. */
static uint64_t pending_handling(const struct thread_clock *clock)
{
	return clock->handling < clock->pending_system ? clock->handling : clock->pending_system;
}

static uint64_t take_system(struct thread_clock *clock, enum tick_mode mode)
{
	uint64_t handling = pending_handling(clock), system = clock->pending_system;
	if (mode == TICK_USER) {
		system = handling;
		clock->handling -= handling;
	} else if (mode == TICK_KERNEL) {
		system -= handling;
	}
	clock->pending_system -= system;
	return system;
}

void split_handled(struct thread_clock *clock, uint64_t cpu)
{
	enum { MOST = 1000000 }; /* where the accounting does not show it, it is not to grow without end */
	clock->handling += cpu > clock->last_cpu ? cpu - clock->last_cpu : 0;
	if (clock->handling > MOST)
		clock->handling = MOST;
}

__attribute__((hot)) struct tick_weight split_tick(
	struct thread_clock *clock, const struct cpu_time *now, enum tick_mode mode, uint32_t stack)
{
	take_time(clock, now, mode);
	struct tick_weight weight = {0, 0};
	if (mode != TICK_KERNEL) {
		weight.user = clock->pending_user;
		clock->pending_user = 0;
	}
	weight.system = take_system(clock, mode);
	if (stack) {
		clock->last_stack = stack;
		if (mode == TICK_USER)
			clock->last_user_stack = stack;
		if (mode == TICK_KERNEL)
			clock->last_system_stack = stack;
	}
	return weight;
}

void split_pass(struct thread_clock *clock, const struct cpu_time *now)
{
	take_time(clock, now, TICK_REMAINDER);
}

void split_overhead(struct thread_clock *clock, const struct cpu_time *now)
{
	take_time(clock, now, TICK_KERNEL);
}

struct tick_weight split_own(struct thread_clock *clock, const struct cpu_time *now)
{
	uint64_t passed = now->cpu > clock->last_cpu ? now->cpu - clock->last_cpu : 0;
	clock->last_cpu += passed;
	clock->last_system += passed;
	return (struct tick_weight){0, passed};
}

bool split_waits_long(const struct thread_clock *clock, uint64_t interval)
{
	uint64_t most = interval > WAITING_MOST ? interval : WAITING_MOST;
	return clock->pending_user + clock->pending_system > most;
}

struct split_rest split_rest(struct thread_clock *clock)
{
	struct split_rest rest = {
		.weight = {clock->pending_user, clock->pending_system},
		.user_stack = clock->last_user_stack ? clock->last_user_stack : clock->last_stack,
		.system_stack = clock->last_system_stack ? clock->last_system_stack : clock->last_stack,
	};
	clock->pending_user = clock->pending_system = clock->handling = 0;
	return rest;
}
