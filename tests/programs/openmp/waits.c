// SPDX-License-Identifier: Apache-2.0
// Waits at each construct that threads wait at, for known times. Says for each function how often threads came to the construct
// and how long they were in it by the program's own clock, without tasks that they ran meanwhile: "NAME WAITS TIME", in
// nanoseconds.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static uint64_t waits, waited;
static __thread uint64_t ran; /* by this thread in tasks */

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#ifndef SCALE
#define SCALE 1
#endif

static void sleep_for(int milliseconds)
{
	struct timespec t = {0, milliseconds * SCALE * 1000000L};
	nanosleep(&t, 0);
}

static void add(int count, uint64_t time)
{
	__atomic_fetch_add(&waits, (uint64_t)count, __ATOMIC_RELAXED);
	__atomic_fetch_add(&waited, time, __ATOMIC_RELAXED);
}

/* Times of this thread without tasks. */
static uint64_t own(void)
{
	return now() - ran;
}

static void since(uint64_t begun)
{
	add(1, own() - begun);
}

static void task_for(int milliseconds)
{
	uint64_t begun = now();
	sleep_for(milliseconds);
	ran += now() - begun;
}

static void say(const char *name)
{
	printf("%s %lu %lu\n", name, (unsigned long)waits, (unsigned long)waited);
	fflush(stdout);
	waits = waited = 0;
}

#define ALONE static __attribute__((noinline)) void
#define TEAM  _Pragma("omp parallel num_threads(2)")
#define OTHER (omp_get_thread_num() == 1)

ALONE explicit_barrier(void)
{
	TEAM for (int i = 0; i < 3; i++)
	{
		sleep_for(OTHER ? 2 : 6);
		uint64_t begun = own();
#pragma omp barrier
		since(begun);
	}
}

ALONE static_end(void)
{
	TEAM
	{
		uint64_t begun = 0;
#pragma omp for schedule(static)
		for (int i = 0; i < 2; i++) {
			sleep_for(2 + 6 * i);
			begun = own();
		}
		since(begun);
	}
}

ALONE dynamic_end(void)
{
	TEAM
	{
		uint64_t begun = own();
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 2; i++) {
			sleep_for(2 + 6 * i);
			begun = own();
		}
		since(begun);
	}
}

ALONE sections_end(void)
{
	TEAM
	{
		uint64_t begun = own();
#pragma omp sections
		{
#pragma omp section
			{
				sleep_for(8);
				begun = own();
			}
#pragma omp section
			{
				sleep_for(2);
				begun = own();
			}
		}
		since(begun);
	}
}

ALONE single_end(void)
{
	TEAM
	{
		uint64_t begun = own();
#pragma omp single
		{
			sleep_for(5);
			begun = own();
		}
		since(begun);
	}
}

ALONE copied(void)
{
	TEAM
	{
		int value = 0;
		uint64_t begun = own();
#pragma omp single copyprivate(value)
		{
			sleep_for(5);
			begun = own();
			value = 7;
		}
		since(begun);
		if (value != 7)
			printf("wrong value: %d\n", value);
	}
	/* The one that has copied waits for the others, and then all wait; by clang all wait twice. */
#ifdef __clang__
	waits = 4;
#else
	waits = 5;
#endif
}

ALONE critical(void)
{
	TEAM for (int i = 0; i < 2; i++)
	{
		uint64_t begun = own();
#pragma omp critical
		{
			since(begun);
			sleep_for(4);
		}
	}
}

ALONE named(void)
{
	TEAM
	{
		uint64_t begun = own();
#pragma omp critical(name)
		{
			since(begun);
			sleep_for(6);
		}
	}
}

/* Waits of some nanoseconds each. */
ALONE often(void)
{
	int count = 0;
	TEAM for (int i = 0; i < 10000; i++)
	{
#pragma omp critical(often)
		count++;
	}
	waits = (uint64_t)count;
}

/* Fortran's, whose variables of libgomp hold the addresses of large locks. */
void omp_set_lock_(omp_lock_t *lock);
void omp_set_nest_lock_(void *lock);
static void set_nest_lock_of_fortran(omp_nest_lock_t *lock)
{
#ifdef __clang__
	omp_set_nest_lock_(lock);
#else
	omp_set_nest_lock_(&lock);
#endif
}

ALONE lock(void (*set)(omp_lock_t *))
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	TEAM
	{
		uint64_t begun = own();
		set(&lock);
		since(begun);
		sleep_for(6);
		omp_unset_lock(&lock);
#ifndef __clang__ /* its run-time says that it takes it as the others do */
		if (omp_test_lock(&lock))
			omp_unset_lock(&lock);
#endif
	}
	omp_destroy_lock(&lock);
}

ALONE nest_lock(void (*set)(omp_nest_lock_t *))
{
	omp_nest_lock_t lock;
	omp_init_nest_lock(&lock);
	TEAM
	{
		uint64_t begun = own();
		set(&lock);
		since(begun);
		set(&lock);
		add(1, 0);
		sleep_for(6);
		omp_unset_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
	}
	omp_destroy_nest_lock(&lock);
}

ALONE ordered(void)
{
	TEAM
#pragma omp for ordered schedule(static, 1) nowait
		for (int i = 0; i < 6; i++)
	{
		uint64_t begun = own();
#pragma omp ordered
		{
			since(begun);
			sleep_for(2);
		}
	}
}

/* The other member runs the task. */
ALONE taskwait(void)
{
	int runs = 0;
	TEAM
#pragma omp single nowait
	{
#pragma omp task shared(runs)
		{
			__atomic_store_n(&runs, 1, __ATOMIC_RELEASE);
			task_for(8);
		}
		while (!__atomic_load_n(&runs, __ATOMIC_ACQUIRE))
			;
		uint64_t begun = own();
#pragma omp taskwait
		since(begun);
	}
}

ALONE taskgroup(void)
{
	TEAM
#pragma omp single nowait
	{
		uint64_t begun = 0;
#pragma omp taskgroup
		{
			for (int i = 0; i < 3; i++)
#pragma omp task
				task_for(5);
			begun = own();
		}
		since(begun);
	}
}

/* A task that waits. */
ALONE in_tasks(void)
{
	int held = 0;
	TEAM if (OTHER)
	{
#pragma omp critical(in_tasks)
		{
			__atomic_store_n(&held, 1, __ATOMIC_RELEASE);
			sleep_for(20);
		}
	}
	else
	{
		while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
			;
#pragma omp task if (0)
		{
			uint64_t begun = own();
#pragma omp critical(in_tasks)
			waited = own() - begun;
		}
	}
	waits = 2;
}

#ifndef __clang__
ALONE atomic(void)
{
	long double sum = 0;
	TEAM for (int i = 0; i < 100; i++)
	{
#pragma omp atomic
		sum += 1;
	}
	waits = (uint64_t)sum;
}

ALONE doacross(void)
{
	TEAM
#pragma omp for ordered(2) schedule(static, 1) nowait
		for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++)
	{
		uint64_t begun = own();
#pragma omp ordered depend(sink : i - 1, j)
		if (i)
			since(begun);
		sleep_for(2);
#pragma omp ordered depend(source)
	}
}

ALONE doacross_ull(unsigned long long end)
{
	TEAM
#pragma omp for ordered(1) schedule(static, 1) nowait
		for (unsigned long long i = 1; i < end; i++)
	{
		uint64_t begun = own();
#pragma omp ordered depend(sink : i - 1)
		if (i > 1)
			since(begun);
		sleep_for(2);
#pragma omp ordered depend(source)
	}
}

ALONE dependent(void)
{
	int value = 0;
	TEAM
#pragma omp single nowait
	{
#pragma omp task depend(out : value) shared(value)
		{
			task_for(5);
			value = 1;
		}
		uint64_t begun = own();
#pragma omp taskwait depend(in : value)
		since(begun);
		if (value != 1)
			printf("wrong value: %d\n", value);
	}
}

static int add_slowly(int sum, int more)
{
	task_for(6);
	return sum + more;
}
#pragma omp declare reduction(slowly:int : omp_out = add_slowly(omp_out, omp_in)) initializer(omp_priv = 0)

ALONE task_reduction(void)
{
	int sum = 0;
	TEAM
	{
		uint64_t begun = own();
#pragma omp for reduction(task, slowly : sum) schedule(static)
		for (int i = 0; i < 2; i++) {
			sum += i + 1;
			sleep_for(2 + 6 * i);
			begun = own();
		}
		since(begun);
	}
	waits += 2; /* for whoever adds the sums */
	if (sum != 3)
		printf("wrong sum: %d\n", sum);
}

ALONE cancelled(int never)
{
	TEAM
	{
		sleep_for(OTHER ? 2 : 6);
		uint64_t begun = own();
#pragma omp barrier
		since(begun);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 2; i++) {
			sleep_for(2 + 6 * i);
			begun = own();
#pragma omp cancel for if (never)
		}
		since(begun);
#pragma omp sections
		{
#pragma omp section
			{
				sleep_for(8);
				begun = own();
#pragma omp cancel sections if (never)
			}
#pragma omp section
			{
				sleep_for(2);
				begun = own();
			}
		}
		since(begun);
#pragma omp cancel parallel if (never)
	}
}
#endif

int main(int argc, char **argv)
{
	(void)argv;
#define RUN(name, ...)                                                                                                 \
	name(__VA_ARGS__);                                                                                             \
	say(#name);
	RUN(explicit_barrier)
	RUN(static_end)
	RUN(dynamic_end)
	RUN(sections_end)
	RUN(single_end)
	RUN(copied)
	RUN(critical)
	RUN(named)
	RUN(often)
	lock(omp_set_lock_);
	RUN(lock, omp_set_lock)
	nest_lock(set_nest_lock_of_fortran);
	RUN(nest_lock, omp_set_nest_lock)
	RUN(ordered)
	RUN(taskwait)
	RUN(taskgroup)
	RUN(in_tasks)
#ifndef __clang__
	RUN(atomic)
	RUN(doacross)
	RUN(doacross_ull, (unsigned long long)argc + 6)
	RUN(dependent)
	RUN(task_reduction)
	RUN(cancelled, argc > 7)
#endif
	return 0;
}
