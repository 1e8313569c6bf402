// SPDX-License-Identifier: Apache-2.0
// Leaves waits by longjmp out of a signal handler, with and without the saved mask, and then computes: work_after_jump() takes
// nine tenths of the CPU time. Prints the times that a wait was left.
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf where;
static volatile unsigned long sink;

static void on_alarm(int number)
{
	(void)number;
	siglongjmp(where, 1);
}

static double cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static __attribute__((noinline)) void work(double milliseconds)
{
	for (double start = cpu_time(); cpu_time() - start < milliseconds;)
		for (int i = 0; i < 100000; i++)
			sink += (unsigned)i;
}

__attribute__((noinline)) void work_after_jump(void)
{
	work(90);
	sink++;
}

int main(void)
{
	sigset_t alarm;
	struct itimerval soon = {{0, 0}, {0, 2000}};
	volatile int left = 0;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	signal(SIGALRM, on_alarm);
	for (volatile int i = 0; i < 6; i++) {
		work(10);
		if (sigsetjmp(where, i % 2) == 0) {
			setitimer(ITIMER_REAL, &soon, 0);
			if (i % 3 == 0)
				pause();
			else if (i % 3 == 1)
				poll(0, 0, 1000);
			else
				sleep(1);
		} else {
			left++;
			work_after_jump();
		}
		if (i % 2 == 0) /* the jump did not restore the mask */
			sigprocmask(SIG_UNBLOCK, &alarm, 0);
	}
	printf("left %d\n", left);
	return 0;
}
