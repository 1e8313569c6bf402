// SPDX-License-Identifier: Apache-2.0
// A program with signals of its own from every source that a profiler uses too: each of them must arrive, and it counts them
// in ways that do not depend on time. Prints "NAME: SENT sent, ARRIVED arrived"; exit status 1 if any is missing.
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;
static volatile long overruns;
static volatile unsigned long sink;
static int status;

static void on_signal(int number)
{
	(void)number;
	arrived++;
}

static void on_timer(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	arrived++;
	overruns += info->si_overrun;
}

static void report(const char *name, long sent)
{
	printf("%s: %ld sent, %ld arrived\n", name, sent, (long)arrived);
	if (sent != arrived)
		status = 1;
}

static void burn_until(long count)
{
	time_t limit = time(0) + 20;
	while (arrived < count && time(0) < limit)
		for (int i = 0; i < 10000; i++)
			sink += (unsigned)i;
}

/* One-shot timers, each started when the one before has arrived. */
static void profiling_timer(int which, int number, const char *name)
{
	enum { TIMES = 100 };
	struct itimerval once = {{0, 0}, {0, 1000}};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigaction(number, &action, 0);
	arrived = 0;
	for (int i = 0; i < TIMES; i++) {
		setitimer(which, &once, 0);
		burn_until(i + 1);
	}
	report(name, TIMES);
}

static void thread_timer(void)
{
	enum { TIMES = 100 };
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
	event._sigev_un._tid = gettid();
	struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	timer_t timer;
	sigaction(SIGPROF, &action, 0);
	arrived = 0;
	timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
	for (int i = 0; i < TIMES; i++) {
		timer_settime(timer, 0, &once, 0);
		burn_until(i + 1);
	}
	timer_delete(timer);
	report("timer_create", TIMES);
}

/* Periodic: deliveries and overruns together are the expirations that the timer itself reports at the end. */
static void periodic_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 2};
	struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerspec each = {{0, 1000000}, {0, 1000000}}, never = {{0, 0}, {0, 0}};
	struct timespec before, after;
	timer_t timer;
	sigaction(SIGRTMIN + 2, &action, 0);
	arrived = overruns = 0;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	clock_gettime(CLOCK_MONOTONIC, &before);
	timer_settime(timer, 0, &each, 0);
	burn_until(200);
	timer_settime(timer, 0, &never, 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	long passed = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	long expired = arrived + overruns;
	timer_delete(timer);
	printf("periodic timer: %s\n",
		expired >= passed - 1 && expired <= passed + 1 ? "all arrived" : "some are missing");
	if (expired < passed - 1 || expired > passed + 1)
		status = 1;
}

static int got[10000], got_count;
static void on_queued(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	if (got_count < 10000)
		got[got_count++] = info->si_value.sival_int;
	arrived++;
}

static void queued(void)
{
	enum { TIMES = 5000 };
	struct sigaction action = {.sa_sigaction = on_queued, .sa_flags = SA_SIGINFO};
	sigset_t set;
	sigaction(SIGRTMAX - 1, &action, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX - 1);
	arrived = 0;
	for (int i = 0; i < TIMES; i++) {
		if (i % 100 == 0)
			sigprocmask(SIG_BLOCK, &set, 0);
		sigqueue(getpid(), SIGRTMAX - 1, (union sigval){.sival_int = i});
		sink += (unsigned)i;
		if (i % 100 == 99)
			sigprocmask(SIG_UNBLOCK, &set, 0);
	}
	report("sigqueue", TIMES);
	for (int i = 0; i < got_count; i++)
		if (got[i] != i) {
			puts("sigqueue: out of order");
			status = 1;
			break;
		}
}

/* A perf event of its own, as many signals as the event counts. */
static void perf_event(void)
{
	enum { PAGES = 300, PAGE = 4096 };
	struct perf_event_attr attributes = {.size = sizeof(attributes),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.exclude_kernel = 1,
		.disabled = 1};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
	if (fd < 0) {
		puts("perf event: not allowed");
		return;
	}
	struct f_owner_ex owner = {F_OWNER_TID, gettid()};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigaction(SIGRTMIN + 3, &action, 0);
	fcntl(fd, F_SETOWN_EX, &owner);
	fcntl(fd, F_SETSIG, SIGRTMIN + 3);
	fcntl(fd, F_SETFL, O_ASYNC);
	char *pages = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	arrived = 0;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < PAGES; i++) {
		pages[i * PAGE] = 1;
		for (int k = 0; k < 20000; k++)
			sink += (unsigned)k;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	uint64_t faults = 0;
	if (read(fd, &faults, sizeof(faults)) != sizeof(faults) || faults < PAGES)
		status = 1;
	printf("perf event: %s\n", arrived == (long)faults ? "as many signals as faults" : "signals are missing");
	if (arrived != (long)faults)
		status = 1;
	close(fd);
}

int main(void)
{
	profiling_timer(ITIMER_PROF, SIGPROF, "ITIMER_PROF");
	profiling_timer(ITIMER_VIRTUAL, SIGVTALRM, "ITIMER_VIRTUAL");
	profiling_timer(ITIMER_REAL, SIGALRM, "ITIMER_REAL");
	thread_timer();
	periodic_timer();
	queued();
	perf_event();
	return status;
}
