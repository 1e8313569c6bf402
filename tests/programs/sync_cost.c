// SPDX-License-Identifier: Apache-2.0
// The time that tracing adds to a lock and unlock of a mutex that nobody else has, 12 frames deep: runs of them by the target's own
// function, which a tracer stands in front of, in turn with runs by libc's function itself. Prints medians of the runs, in
// nanoseconds a pair: libc's, the target's, and the difference of neighbours.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS = 300, RUNS = 4000, DEPTH = 7 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double libc_time[RUNS], target_time[RUNS], difference[RUNS];
struct functions {
	int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
};

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static double run(const struct functions *functions)
{
	uint64_t start = now();
	for (int i = 0; i < PAIRS; i++) {
		functions->lock(&mutex);
		functions->unlock(&mutex);
	}
	return (double)(now() - start) / PAIRS;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;
	return a < b ? -1 : a > b;
}

static double median(double *values)
{
	qsort(values, RUNS, sizeof *values, compare);
	return values[RUNS / 2];
}

__attribute__((noinline)) static void measure(const struct functions *libc, const struct functions *target)
{
	run(target);
	for (int i = 0; i < RUNS; i++) {
		libc_time[i] = run(libc);
		target_time[i] = run(target);
		difference[i] = target_time[i] - libc_time[i];
	}
}

__attribute__((noinline)) static void deep(int depth, const struct functions *libc, const struct functions *target)
{
	if (depth)
		deep(depth - 1, libc, target);
	else
		measure(libc, target);
	__asm__ volatile("");
}

int main(void)
{
	void *library = dlopen("libc.so.6", RTLD_NOW);
	struct functions target = {pthread_mutex_lock, pthread_mutex_unlock}, libc = {0};
	*(void **)&libc.lock = dlsym(library, "pthread_mutex_lock");
	*(void **)&libc.unlock = dlsym(library, "pthread_mutex_unlock");
	if (!libc.lock || !libc.unlock)
		return 1;
	deep(DEPTH - 2, &libc, &target);
	double difference_median = median(difference);
	printf("%6.1f %6.1f %6.1f\n", median(libc_time), median(target_time), difference_median);
	return 0;
}
