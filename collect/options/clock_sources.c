/* SPDX-License-Identifier: Apache-2.0 */
/* Probing the clock sources: see clock_sources.h. */
#include "clock_sources.h"
#include "clock_interval.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_PAGES 64u
#define PROBE_TIME 2000000u /* nanoseconds */

static uint64_t nanoseconds_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

static uint64_t clock_time(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return nanoseconds_of(&now);
}

static int open_perf_clock(bool kernel)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME,
		.disabled = 1,
		.exclude_kernel = !kernel,
		.exclude_hv = 1,
	};
	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Asks for a tick every nanosecond and sees how many the kernel gives. */
static uint64_t measure_perf_clock(int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (RING_PAGES + 1) * page;
	struct perf_event_mmap_page *ring = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		return 0;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* Without system calls, in which a user-mode event does not count. */
	uint64_t start = clock_time(CLOCK_THREAD_CPUTIME_ID), end = clock_time(CLOCK_MONOTONIC) + PROBE_TIME;
	while (clock_time(CLOCK_MONOTONIC) < end)
		;
	uint64_t used = clock_time(CLOCK_THREAD_CPUTIME_ID) - start;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	uint64_t ticks = ring->data_head / (sizeof(struct perf_event_header) + sizeof(uint64_t));
	munmap(ring, size);
	return ticks ? used / ticks : 0;
}

static void probe_perf(struct clock_source *source)
{
	source->name = "perf cpu-clock";
	bool kernel = true;
	int fd = open_perf_clock(true);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		kernel = false;
		fd = open_perf_clock(false);
	}
	if (fd < 0) {
		snprintf(source->remark, sizeof source->remark, "not usable: perf_event_open: %s%s", strerror(errno),
			errno == EACCES || errno == EPERM ? " (see /proc/sys/kernel/perf_event_paranoid)" : "");
		return;
	}
	source->usable = true;
	source->finest = measure_perf_clock(fd);
	if (!kernel)
		snprintf(source->remark, sizeof source->remark,
			"in user mode only (/proc/sys/kernel/perf_event_paranoid); system time is in the next tick");
	close(fd);
}

static void probe_timer(struct clock_source *source)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct timespec tick;
	timer_t timer;
	source->name = "thread CPU timer";
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) {
		snprintf(source->remark, sizeof source->remark, "not usable: timer_create: %s", strerror(errno));
		return;
	}
	timer_delete(timer);
	source->usable = true;
	/* The kernel looks at these timers at its own tick, whose length the coarse clock's resolution is. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0)
		source->finest = nanoseconds_of(&tick);
	snprintf(source->remark, sizeof source->remark, "at the kernel's own ticks; no time is lost between them");
}

void clock_sources_probe(struct clock_source sources[CLOCK_SOURCES])
{
	memset(sources, 0, CLOCK_SOURCES * sizeof *sources);
	probe_perf(&sources[CLOCK_SOURCE_PERF]);
	probe_timer(&sources[CLOCK_SOURCE_TIMER]);
}

char *clock_sources_text(void)
{
	struct clock_source sources[CLOCK_SOURCES];
	struct clock_range range = clock_range_of_machine();
	char *text = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		abort();
	clock_sources_probe(sources);
	fprintf(out,
		"Clock sources of this machine; intervals of -p in milliseconds of CPU time, in steps of %.3f; finest: "
		"what "
		"comes when less is asked for:\n"
		"\tsource              least   greatest   finest\n",
		(double)range.step / 1e6);
	for (unsigned i = 0; i < CLOCK_SOURCES; i++) {
		const struct clock_source *source = &sources[i];
		if (!source->usable) {
			fprintf(out, "\t%-16s  %s\n", source->name, source->remark);
			continue;
		}
		fprintf(out, "\t%-16s %8.3f   %8.3f ", source->name, (double)range.least / 1e6,
			(double)range.greatest / 1e6);
		if (source->finest)
			fprintf(out, "%8.3f", (double)source->finest / 1e6);
		else
			fprintf(out, "%8s", "-");
		fprintf(out, "%s%s\n", source->remark[0] ? "   " : "", source->remark);
	}
	fclose(out);
	return text;
}
