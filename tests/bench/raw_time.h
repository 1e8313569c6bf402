/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that events carry, as the bench's programs read it beside the collector: the counter where the kernel itself keeps
   time by it, else CLOCK_MONOTONIC. */
#ifndef RAW_TIME_H
#define RAW_TIME_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define COUNTER_SOURCE "tsc"
static inline uint64_t counter_time(void)
{
	return __rdtsc();
}
#else
#define COUNTER_SOURCE "arch_sys_counter"
static inline uint64_t counter_time(void)
{
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#endif

static inline bool kernel_uses_counter(void)
{
	char name[32] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
	if (fd >= 0)
		close(fd);
	return got == sizeof COUNTER_SOURCE && !__builtin_memcmp(name, COUNTER_SOURCE "\n", sizeof COUNTER_SOURCE);
}

static inline uint64_t raw_time(void)
{
	static int by_counter = -1; /* not yet known */
	struct timespec t;
	if (by_counter < 0)
		by_counter = kernel_uses_counter();
	if (by_counter)
		return counter_time();
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
