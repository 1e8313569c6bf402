/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing and reading the raw time source: the one file of collect that knows the processor's counter. */
#include "raw_time.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <cpuid.h>
#include <x86intrin.h>
#endif

static bool kernel_clock_is(const char *name)
{
	char text[64];
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t size = read(fd, text, sizeof text - 1);
	close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, name) == 0;
}

#if defined __x86_64__
/* Leaf 0x80000007, EDX bit 8: the counter runs at a constant rate in every power state (the kernel's flags
   constant_tsc and nonstop_tsc). A process can be forbidden to read it. */
static bool counter_invariant(void)
{
	unsigned a, b, c, d = 0;
	int permission = PR_TSC_ENABLE;
	prctl(PR_GET_TSC, &permission, 0, 0, 0);
	return permission == PR_TSC_ENABLE && __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

enum time_source time_source_choose(void)
{
	return kernel_clock_is("tsc") && counter_invariant() ? TIME_TSC : TIME_MONOTONIC;
}

static uint64_t read_counter(void)
{
	return __rdtsc();
}
#elif defined __aarch64__
enum time_source time_source_choose(void)
{
	return kernel_clock_is("arch_sys_counter") ? TIME_CNTVCT : TIME_MONOTONIC;
}

static uint64_t read_counter(void)
{
	uint64_t count;
	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(count)::"memory");
	return count;
}
#else
enum time_source time_source_choose(void)
{
	return TIME_MONOTONIC;
}

static uint64_t read_counter(void)
{
	return 0;
}
#endif

bool time_counter_between(void)
{
#if defined __x86_64__
	return (kernel_clock_is("kvm-clock") || kernel_clock_is("hyperv_clocksource_tsc_page")) && counter_invariant();
#else
	return false;
#endif
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void raw_time_triple(enum time_source source, struct time_triple *now)
{
	now->realtime = read_clock(CLOCK_REALTIME);
	now->monotonic = read_clock(CLOCK_MONOTONIC);
	now->raw = source == TIME_MONOTONIC ? now->monotonic : read_counter();
}
