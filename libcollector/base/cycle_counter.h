/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's counter that runs at a constant rate. */
#ifndef CYCLE_COUNTER_H
#define CYCLE_COUNTER_H

#include <stdint.h>

/* 0 where there is none. May be read a little before what precedes it is done. */
static inline uint64_t cycle_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

#endif
