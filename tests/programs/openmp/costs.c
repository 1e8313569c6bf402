// SPDX-License-Identifier: Apache-2.0
// Regions, loops and tasks of nothing, as often as makes a measurable time: "NAME NANOSECONDS" of one of each.
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define NOTHING __asm__ volatile("")

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void region(long count, int threads)
{
	for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads)
		NOTHING;
	}
}

static void chunk(long count, int threads)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
	for (long i = 0; i < count; i++)
		NOTHING;
}

static void critical(long count, int threads)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp critical
		NOTHING;
	}
}

static void barrier(long count, int threads)
{
#pragma omp parallel num_threads(threads)
	for (long i = 0; i < count; i++) {
#pragma omp barrier
	}
}

static void task(long count, int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
	for (long i = 0; i < count; i++) {
#pragma omp task
		NOTHING;
	}
}

static void tree(long count)
{
	if (count < 2)
		return;
#pragma omp task
	tree(count / 2);
#pragma omp task
	tree(count - count / 2);
#pragma omp taskwait
}

/* Each node of a tree but its root is a task. */
static void tasks_in_tasks(long count, int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
	tree(count / 2);
}

static void measure(const char *name, void (*code)(long, int), long count, int threads)
{
	code(count / 10, threads);
	uint64_t begin = now();
	code(count, threads);
	printf("%s-%d %.1f\n", name, threads, (double)(now() - begin) / (double)count);
	fflush(stdout);
}

int main(void)
{
	for (int threads = 1; threads <= 2; threads++) {
		measure("region", region, 200000, threads);
		measure("chunk", chunk, 2000000, threads);
		measure("critical", critical, 2000000, threads);
		measure("barrier", barrier, 200000, threads);
		measure("task", task, 500000, threads);
		measure("tree", tasks_in_tasks, 500000, threads);
	}
	return 0;
}
