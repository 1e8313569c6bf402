/* SPDX-License-Identifier: Apache-2.0 */
/* CLOCK_MONOTONIC for many events of one thread, where reading it takes twice as long as the cycle counter that it is made
   of (a virtual machine's clock): it is read every 20 microseconds, and between two readings the counter tells how far it has
   gone. Off by less than 0.1 microseconds; never goes back. Not for comparing moments of two threads that are closer than
   that. */
#ifndef COUNTED_TIME_H
#define COUNTED_TIME_H

#include "machine.h"
#include <stdint.h>

/* A thread's; all zero at first. */
struct counted_time {
	uint64_t cycles, time;             /* the last reading */
	uint64_t limit;                    /* cycles after it that the counter is believed; 0: not at all */
	uint64_t rate;                     /* nanoseconds a cycle, times 2^32; 0: not known yet */
	uint64_t last;                     /* what was answered last */
	uint64_t first_cycles, first_time; /* the reading from which the rate is measured */
	uint32_t cpu;                      /* all that is of this one */
};

/* Reads the clock. */
uint64_t counted_time_read(struct counted_time *counted, uint32_t cpu);

/* The time now, in nanoseconds, on the CPU that is given: another one than before has another counter. Async-signal-safe, for
   one caller at a time. */
static inline uint64_t counted_time_now(struct counted_time *counted, uint32_t cpu)
{
	uint64_t cycles = cycle_counter() - counted->cycles, time;
	if (__builtin_expect(cycles < counted->limit && cpu == counted->cpu, 1))
		time = counted->time + (cycles * counted->rate >> 32);
	else
		time = counted_time_read(counted, cpu);
	if (time > counted->last)
		counted->last = time;
	return counted->last;
}

#endif
