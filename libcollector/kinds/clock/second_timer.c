/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for ticks in the kernel. */
#include "second_timer.h"
#include "architecture.h"
#include "memory.h"

/* Nanoseconds. The kernel looks at such timers once in a tick of its own, of 1 to 10 ms: it asks at each until it hits. After so
   much CPU time without a hit the system time is not that of system calls. */
enum { REPEAT = 1000000, HITS_APART = 60000000 };

void second_timer_begin(struct thread_clock *clock, pid_t tid, uint64_t first)
{
	clock->second = timer_begin(clock, tid, first, REPEAT);
	clock->second_hit = clock->second_system = clock->second_faults = 0;
}

void second_timer_rearm(struct thread_clock *clock, uint64_t interval)
{
	if (clock->second)
		timer_set(clock, interval, REPEAT);
}

bool second_timer_asks(const struct thread_clock *clock, const siginfo_t *info)
{
	return clock->second && timer_owns(info);
}

static bool is_call_at(struct memory *memory, uint64_t address)
{
	unsigned char code[SYSTEM_CALL_BYTES];
	return memory_read_bytes(memory, address, code, sizeof code) && bytes_are_system_call(code);
}

static bool is_system_call(const ucontext_t *context)
{
	struct memory memory = {0};
	uint64_t pc = registers_of(context)[SAVED_PC];
	return is_call_at(&memory, pc - SYSTEM_CALL_BYTES) || is_call_at(&memory, pc);
}

/* Nanoseconds: what a page fault takes, from a quarter of it to twice that; and the least system time that tells something. */
enum { FAULT_COST = 1000, SYSTEM_LEAST = 4000000 };

bool second_timer_hits(struct thread_clock *clock, const ucontext_t *context)
{
	struct cpu_time now = {0};
	cpu_time_account(&now);
	uint64_t system = now.system - clock->second_system, faults = now.faults - clock->second_faults;
	if (!is_system_call(context) && (system < SYSTEM_LEAST || 2 * FAULT_COST * faults < system))
		return false;
	clock->second_system = now.system;
	clock->second_faults = now.faults;
	return true;
}

enum tick_mode second_timer_mode(struct thread_clock *clock, bool asked, uint64_t cpu, enum tick_mode otherwise)
{
	if (!clock->second)
		return otherwise;
	if (asked)
		clock->second_hit = cpu;
	else if (cpu - clock->second_hit > HITS_APART)
		clock->last_system_stack = 0;
	return asked ? TICK_KERNEL : TICK_USER;
}
