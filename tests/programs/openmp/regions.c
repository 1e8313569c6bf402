// SPDX-License-Identifier: Apache-2.0
// Parallel regions of each kind that compilers make, whose members work for known times: they sleep, so that no other load changes
// them. Says for each function how often its region ran and, by the program's own clock, with how many members, for how long, how
// long they worked and how long they waited: "NAME CALLS MEMBERS TIME WORK WAIT", times in nanoseconds.
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { MEMBERS_MAX = 8 };
static struct {
	int calls, members;
	uint64_t time, work, wait;
	uint64_t end[MEMBERS_MAX];
	int ended;
} sums;
static uint64_t began;

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_for(int milliseconds)
{
	struct timespec t = {0, milliseconds * 1000000L};
	nanosleep(&t, 0);
}

static void region_begins(void)
{
	sums.calls++;
	sums.ended = 0;
	began = now();
}

static void region_ends(void)
{
	uint64_t end = now();
	sums.time += end - began;
	for (int i = 0; i < sums.ended; i++)
		sums.wait += end - sums.end[i];
}

/* The work of a member: of the first 5 ms, of the second 10, ... */
static void work(void)
{
	uint64_t begin = now();
	sleep_for(5 * (1 + omp_get_thread_num()));
	uint64_t end = now();
#pragma omp critical
	{
		sums.members++;
		sums.work += end - begin;
		sums.end[sums.ended++] = end;
	}
}

/* An iteration of a loop that is handed out: each member has as many. */
static void iteration(void)
{
	uint64_t begin = now();
	sleep_for(2);
	uint64_t end = now();
#pragma omp critical
	sums.work += end - begin;
}

static void say(const char *name)
{
	printf("%s %d %d %lu %lu %lu\n", name, sums.calls, sums.members, (unsigned long)sums.time,
		(unsigned long)sums.work, (unsigned long)sums.wait);
	fflush(stdout);
	__builtin_memset(&sums, 0, sizeof sums);
}

#define ALONE static __attribute__((noinline)) void

ALONE plain(int threads)
{
	region_begins();
#pragma omp parallel num_threads(threads) /* plain */
	work();
	region_ends();
}

ALONE for_static(void)
{
	region_begins();
#pragma omp parallel for num_threads(3) schedule(static)
	for (int i = 0; i < 3; i++)
		work();
	region_ends();
}

ALONE sections(void)
{
	region_begins();
#pragma omp parallel sections num_threads(1)
	{
#pragma omp section
		iteration();
#pragma omp section
		iteration();
	}
	sums.members += 1;
	region_ends();
}

/* Loops that are handed out: by one member, so that it is known who has which iteration. */
#define LOOP(name, kind)                                                                                               \
	ALONE name(void)                                                                                               \
	{                                                                                                              \
		region_begins();                                                                                       \
		_Pragma(kind) for (int i = 0; i < 3; i++) iteration();                                                 \
		sums.members += 1;                                                                                     \
		region_ends();                                                                                         \
	}
LOOP(for_dynamic, "omp parallel for num_threads(1) schedule(monotonic : dynamic)")
LOOP(for_any_dynamic, "omp parallel for num_threads(1) schedule(nonmonotonic : dynamic)")
LOOP(for_guided, "omp parallel for num_threads(1) schedule(monotonic : guided)")
LOOP(for_any_guided, "omp parallel for num_threads(1) schedule(nonmonotonic : guided)")
LOOP(for_runtime, "omp parallel for num_threads(1) schedule(monotonic : runtime)")
LOOP(for_any_runtime, "omp parallel for num_threads(1) schedule(nonmonotonic : runtime)")
LOOP(for_maybe_runtime, "omp parallel for num_threads(1) schedule(runtime)")

ALONE reductions(void)
{
	int sum = 0;
	region_begins();
#pragma omp parallel num_threads(2) reduction(task, + : sum)
	{
		work();
		sum += 1 + omp_get_thread_num();
	}
	region_ends();
	if (sum != 3)
		printf("wrong sum: %d\n", sum);
}

#ifndef __clang__
/* Functions that gcc itself does not call any more. */
void GOMP_parallel_loop_static(void (*)(void *), void *, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_loop_static_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(void (*)(void *), void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_end(void);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
void GOMP_loop_end_nowait(void);

static void by_static_next(void *count)
{
	long from, to;
	while (GOMP_loop_static_next(&from, &to))
		for (; from < to; from++) {
			iteration();
#pragma omp atomic
			++*(int *)count;
		}
	GOMP_loop_end_nowait();
}

static void by_dynamic_next(void *count)
{
	long from, to;
	while (GOMP_loop_dynamic_next(&from, &to))
		for (; from < to; from++)
			iteration(), ++*(int *)count;
	GOMP_loop_end_nowait();
}

static void by_guided_next(void *count)
{
	long from, to;
	while (GOMP_loop_guided_next(&from, &to))
		for (; from < to; from++)
			iteration(), ++*(int *)count;
	GOMP_loop_end_nowait();
}

static void by_runtime_next(void *count)
{
	long from, to;
	while (GOMP_loop_runtime_next(&from, &to))
		for (; from < to; from++)
			iteration(), ++*(int *)count;
	GOMP_loop_end_nowait();
}

static void by_sections_next(void *count)
{
	while (GOMP_sections_next())
		iteration(), ++*(int *)count;
	GOMP_sections_end_nowait();
}

static void by_start(void *unused)
{
	(void)unused;
	work();
}

/* Code of gcc before 4.9: each member but the first is begun by the one function, and the other one ends the region. */
#define OLD(body, counted, start)                                                                                      \
	ALONE old_##body(void)                                                                                         \
	{                                                                                                              \
		int count = 0;                                                                                         \
		region_begins();                                                                                       \
		start;                                                                                                 \
		body(&count);                                                                                          \
		GOMP_parallel_end();                                                                                   \
		sums.members += counted;                                                                               \
		region_ends();                                                                                         \
		say(#body);                                                                                            \
	}
OLD(by_start, 0, GOMP_parallel_start(by_start, 0, 3))
OLD(by_dynamic_next, 1, GOMP_parallel_loop_dynamic_start(by_dynamic_next, &count, 1, 0, 3, 1, 1))
OLD(by_guided_next, 1, GOMP_parallel_loop_guided_start(by_guided_next, &count, 1, 0, 3, 1, 1))
OLD(by_runtime_next, 1, GOMP_parallel_loop_runtime_start(by_runtime_next, &count, 1, 0, 3, 1))
OLD(by_sections_next, 1, GOMP_parallel_sections_start(by_sections_next, &count, 1, 3))

static void by_inner_next(void *count)
{
	by_static_next(count);
}

/* A region in another one, and after it the rest of the outer one. */
static void nests(void *count)
{
	uint64_t outer_began = began;
	sums.calls = 0;
	region_begins();
	GOMP_parallel_loop_static_start(by_inner_next, count, 1, 0, 3, 1, 0);
	by_inner_next(count);
	GOMP_parallel_end();
	sums.members += 1;
	region_ends();
	say("by_inner_next");
	began = outer_began;
	sums.calls = 1;
	iteration();
}

ALONE old_nests(void)
{
	int count = 0;
	region_begins();
	GOMP_parallel_start(nests, &count, 1);
	nests(&count);
	GOMP_parallel_end();
	sums.members += 1;
	region_ends();
	say("nests");
	if (count != 3)
		printf("wrong count: %d\n", count);
}

ALONE old_static(void)
{
	int count = 0;
	region_begins();
	GOMP_parallel_loop_static(by_static_next, &count, 1, 0, 3, 1, 0, 0);
	sums.members += 1;
	region_ends();
	if (count != 3)
		printf("wrong count: %d\n", count);
}

#endif

int main(void)
{
	for (int i = 0; i < 5; i++)
		plain(2 + i % 2);
	say("plain");
	for (int i = 0; i < 2; i++)
		for_static();
	say("for_static");
	sections();
	say("sections");
	for_dynamic();
	say("for_dynamic");
	for_any_dynamic();
	say("for_any_dynamic");
	for_guided();
	say("for_guided");
	for_any_guided();
	say("for_any_guided");
	for_runtime();
	say("for_runtime");
	for_any_runtime();
	say("for_any_runtime");
	for_maybe_runtime();
	say("for_maybe_runtime");
	reductions();
	say("reductions");
#ifndef __clang__
	old_static();
	say("by_static_next");
	old_by_start();
	old_by_dynamic_next();
	old_by_guided_next();
	old_by_runtime_next();
	old_by_sections_next();
	old_nests();
#endif
	return 0;
}
