/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of a thread, by the kernel's clock of the thread and its accounting. */
#include "cpu_time.h"
#include "system_calls.h"
#include <sys/resource.h>
#include <time.h>

#define NANOSECONDS_PER_SECOND 1000000000u

static uint64_t clock_nanoseconds(clockid_t clock)
{
	struct timespec time;
	if (system_call(SYS_clock_gettime, clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NANOSECONDS_PER_SECOND + (uint64_t)time.tv_nsec;
}

__attribute__((hot)) struct cpu_time cpu_time_clock(void)
{
	return (struct cpu_time){.cpu = clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
}

static void account(struct cpu_time *time, int who)
{
	struct rusage usage;
	if (system_call(SYS_getrusage, who, &usage) < 0)
		return;
	time->user = timeval_nanoseconds(&usage.ru_utime);
	time->system = timeval_nanoseconds(&usage.ru_stime);
	time->faults = (uint64_t)usage.ru_minflt;
	time->accounted = true;
}

/* The clock must be read first: that brings the kernel's accounting up to date, which getrusage alone does not. */
__attribute__((hot)) void cpu_time_account(struct cpu_time *time)
{
	account(time, RUSAGE_THREAD);
}

struct cpu_time cpu_time_process(void)
{
	struct cpu_time now = {.cpu = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID)};
	account(&now, RUSAGE_SELF);
	return now;
}

uint64_t cpu_time_of(pid_t tid)
{
	/* The kernel's clock id of a thread's scheduler time: see CPUCLOCK_PERTHREAD_MASK and CPUCLOCK_SCHED there. */
	enum { PER_THREAD = 4, SCHEDULER = 2 };
	return clock_nanoseconds((clockid_t)(~(unsigned)tid << 3 | PER_THREAD | SCHEDULER));
}
