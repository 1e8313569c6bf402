/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing and reading the raw time source. */
#include "raw_time.h"
#include "machine.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

enum time_source time_source_choose(void)
{
	return kernel_clock_is(MACHINE_KERNEL_CLOCK) && cycle_counter_is_steady() ? MACHINE_TIME : TIME_MONOTONIC;
}

bool time_counter_between(void)
{
	return (kernel_clock_is("kvm-clock") || kernel_clock_is("hyperv_clocksource_tsc_page")) &&
	       cycle_counter_is_steady();
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
	now->raw = source == TIME_MONOTONIC ? now->monotonic : cycle_counter();
}
