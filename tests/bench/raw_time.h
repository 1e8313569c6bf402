/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that events carry, as the bench's programs read it beside the collector. */
#ifndef RAW_TIME_H
#define RAW_TIME_H

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
static inline uint64_t raw_time(void)
{
	return __rdtsc();
}
#else
static inline uint64_t raw_time(void)
{
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#endif

#endif
