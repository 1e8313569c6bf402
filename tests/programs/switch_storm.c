/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads give one CPU to each other as often as they can. One of them then computes in peace, and sleeps by a system call of
   its own. The program prints the threads' times by their own clocks: what, seconds. */
#include "bare_calls.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static pthread_barrier_t barrier;

__attribute__((noinline)) static void storm(double *waited)
{
	double begin = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_THREAD_CPUTIME_ID);
	while (seconds(CLOCK_MONOTONIC) < begin + 1)
		sched_yield();
	*waited = seconds(CLOCK_MONOTONIC) - begin - (seconds(CLOCK_THREAD_CPUTIME_ID) - used);
}

__attribute__((noinline)) static void compute(void)
{
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + .5;
	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Not by libc's functions. */
__attribute__((noinline)) static void sleep_by_itself(void)
{
	bare_nanosleep(200000000);
}

static void *run(void *waited)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0)
		abort();
	pthread_barrier_wait(&barrier);
	storm(waited);
	return 0;
}

int main(void)
{
	pthread_t thread;
	double waited[2], begin = seconds(CLOCK_MONOTONIC);
	pthread_barrier_init(&barrier, 0, 2);
	pthread_create(&thread, 0, run, &waited[0]);
	run(&waited[1]);
	pthread_join(thread, 0);
	compute();
	double slept = seconds(CLOCK_MONOTONIC);
	sleep_by_itself();
	double end = seconds(CLOCK_MONOTONIC);
	printf("wait %.6f\nunknownwait %.6f\nelapsed %.6f\n", waited[0] + waited[1], end - slept, end - begin);
	return 0;
}
