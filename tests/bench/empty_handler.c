/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded, or loaded by work_units: the collector's clock without the collector. The first thread gets the same perf
   cpu-clock event with a signal of its own, armed by its handler in the same way, and the handler does nothing else. What a
   program costs with it is what the signals themselves cost on this machine. EMPTY_HANDLER_INTERVAL is the
   interval in nanoseconds; EMPTY_HANDLER_TIMES: a file for the raw times of the ticks, one in a line. */
#include "raw_time.h"
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TIMES = 1 << 17 };
static int event = -1;
static uint64_t times[TIMES];
static unsigned ticks;

static void on_tick(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	if (ticks < TIMES)
		times[ticks++] = raw_time();
	syscall(SYS_ioctl, event, PERF_EVENT_IOC_REFRESH, 1);
}

__attribute__((constructor)) static void start(void)
{
	const char *interval = getenv("EMPTY_HANDLER_INTERVAL");
	struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = 1,
		.wakeup_events = 1,
		.sample_type = PERF_SAMPLE_IP,
	};
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
	int number = SIGRTMAX - 5; /* not the collector's, beside which this may run */
	if (!interval)
		return;
	sigfillset(&action.sa_mask);
	attributes.sample_period = strtoull(interval, 0, 10);
	event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		_exit(111); /* a bench without its clock must not look like a cheap one */
	sigaction(number, &action, 0);
	fcntl(event, F_SETFL, O_ASYNC);
	fcntl(event, F_SETSIG, number);
	fcntl(event, F_SETOWN_EX, &owner);
	ioctl(event, PERF_EVENT_IOC_REFRESH, 1);
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("EMPTY_HANDLER_TIMES");
	FILE *file = event >= 0 && name ? fopen(name, "w") : 0;
	if (!file)
		return;
	for (unsigned i = 0; i < ticks; i++)
		fprintf(file, "%lu\n", (unsigned long)times[i]);
	fclose(file);
}
