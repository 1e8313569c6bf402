// SPDX-License-Identifier: Apache-2.0
// Tasks of each kind that compilers make, which sleep for known times and check the data that they are given. Says for each
// function how many tasks of it ran and for how long by the program's own clock: "NAME TASKS TIME", in nanoseconds.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int tasks;
static uint64_t ran;

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void wrong(const char *what, long value)
{
	printf("wrong %s: %ld\n", what, value);
}

static void add(int count, uint64_t time)
{
#pragma omp critical
	{
		tasks += count;
		ran += time;
	}
}

static void sleep_for(int milliseconds)
{
	uint64_t begin = now();
	struct timespec t = {0, milliseconds * 1000000L};
	nanosleep(&t, 0);
	add(0, now() - begin);
}

static void work(int milliseconds)
{
	sleep_for(milliseconds);
	add(1, 0);
}

static void say(const char *name)
{
	printf("%s %d %lu\n", name, tasks, (unsigned long)ran);
	fflush(stdout);
	tasks = 0;
	ran = 0;
}

#define ALONE static __attribute__((noinline)) void
#define TEAM  _Pragma("omp parallel num_threads(2)") _Pragma("omp single")

ALONE deferred(void)
{
	TEAM for (int i = 0; i < 6; i++)
#pragma omp task
		work(5);
}

ALONE undeferred(int when)
{
	TEAM for (int i = 0; i < 3; i++)
#pragma omp task if (when)
		work(2);
}

ALONE alone(void)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < 3; i++)
#pragma omp task
		work(2);
}

static uint64_t inner_ran;

/* A task's time is without those that its thread runs inside of it. */
ALONE inner(int when)
{
#pragma omp task if (when)
	{
		uint64_t before = ran;
		work(10);
		inner_ran = ran - before;
	}
}

ALONE outer(int when)
{
	TEAM
	{
#pragma omp task
		{
			sleep_for(5);
			inner(when);
			sleep_for(5);
			add(1, 0);
		}
	}
	tasks--;
	ran -= inner_ran;
	say("outer");
	tasks = 1;
	ran = inner_ran;
	say("inner");
}

ALONE untied(void)
{
	TEAM for (int i = 0; i < 4; i++)
#pragma omp task untied
	{
		sleep_for(2);
#pragma omp taskyield
		sleep_for(2);
		add(1, 0);
	}
}

ALONE depends(void)
{
	int order = 0;
	TEAM for (int i = 0; i < 4; i++)
#pragma omp task depend(inout : order) priority(i)
	{
		work(2);
		if (order++ != i)
			wrong("order", order);
	}
	if (order != 4)
		wrong("count of dependent tasks", order);
}

/* Firstprivate data: large, aligned, and of a size that only the program knows, which gcc's code copies itself. */
#ifdef __clang__ /* which refuses it */
#define DATA(count) long data[9]
enum { ALIGNMENT = 16 }; /* its run-time's */
#else
enum { ALIGNMENT = 128 };
#define DATA(count) long data[count]
#endif
struct large {
	char bytes[5000];
};
struct aligned {
	_Alignas(128) long value;
};

ALONE large(void)
{
	struct large data;
	memset(data.bytes, 7, sizeof data.bytes);
	TEAM for (int i = 0; i < 3; i++)
	{
		data.bytes[4999] = (char)i;
#pragma omp task firstprivate(data, i)
		{
			work(2);
			if (data.bytes[0] != 7 || data.bytes[4999] != i)
				wrong("large data", data.bytes[4999]);
		}
	}
}

ALONE aligned(int when)
{
	TEAM for (int i = 0; i < 3; i++)
	{
		struct aligned data = {i};
#pragma omp task firstprivate(data, i) if (when || i == 0)
		{
			work(2);
			if (data.value != i || (uintptr_t)&data % ALIGNMENT)
				wrong("aligned data", data.value);
		}
	}
}

ALONE sized(int count)
{
	DATA(count);
	for (int k = 0; k < count; k++)
		data[k] = k;
	TEAM for (int i = 0; i < 3; i++)
	{
		data[0] = i;
#pragma omp task firstprivate(data, i) if (i)
		{
			work(2);
			if (data[0] != i || data[count - 1] != count - 1)
				wrong("data of a size", data[0]);
		}
	}
}

static omp_event_handle_t events[2];

ALONE detached(int when)
{
	int before = 0, after = 0;
	TEAM
	{
		for (int i = 0; i < 2; i++) {
			omp_event_handle_t event;
#pragma omp task detach(event) depend(out : before) if (when)
			{
				work(2);
				events[i] = event;
			}
#pragma omp task firstprivate(i)
			{
				work(2);
				while (__atomic_load_n((uintptr_t *)&events[i], __ATOMIC_ACQUIRE) == 0)
					sleep_for(1);
#pragma omp atomic write
				after = 1;
				omp_fulfill_event(events[i]);
			}
#pragma omp task depend(in : before)
			{
				work(2);
				int seen;
#pragma omp atomic read
				seen = after;
				if (!seen)
					wrong("order of a detached task", i);
			}
#pragma omp taskwait
			after = 0;
			before = 0;
		}
	}
}

ALONE loop(void)
{
	int sum = 0, seen = 0;
	TEAM
#pragma omp taskloop num_tasks(4) reduction(+ : sum)
		for (int i = 0; i < 8; i++)
	{
		sum += i;
		if (i % 2)
			work(4);
#pragma omp atomic
		seen++;
	}
	if (sum != 28 || seen != 8)
		wrong("sum of a taskloop", sum);
}

/* By numbers that a signed long does not have. */
ALONE long_loop(int count, unsigned long long from)
{
	DATA(count);
	long sum = 0;
	for (int k = 0; k < count; k++)
		data[k] = k;
	TEAM
#pragma omp taskloop num_tasks(3) firstprivate(data)
		for (unsigned long long i = from; i < from + 6; i++)
	{
#pragma omp atomic
		sum += data[i - from];
		if (i % 2)
			work(4);
	}
	if (sum != 15)
		wrong("sum of a long taskloop", sum);
}

ALONE serial_loop(int when)
{
	long sum = 0;
	TEAM
#pragma omp taskloop num_tasks(3) if (when)
		for (int i = 0; i < 6; i++)
	{
		sum += i;
		if (i % 2)
			work(2);
	}
	if (sum != 15)
		wrong("sum of a serial taskloop", sum);
}

ALONE reduces(void)
{
	int sum = 0;
	TEAM
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 4; i++)
#pragma omp task in_reduction(+ : sum) firstprivate(i)
	{
		work(2);
		sum += i;
	}
	if (sum != 6)
		wrong("sum of tasks", sum);
}

/* With OMP_CANCELLATION=true those after the first do not run. */
ALONE cancelled(void)
{
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
	for (int i = 0; i < 4; i++)
#pragma omp task
	{
		work(2);
#pragma omp cancel taskgroup
	}
}

/* Outside of regions none is recorded. */
ALONE nowhere(void)
{
	int done = 0;
#pragma omp task shared(done)
	done = 1;
#pragma omp taskwait
	if (!done)
		wrong("task outside of regions", done);
}

int main(void)
{
	nowhere();
	deferred();
	say("deferred");
	undeferred(0);
	say("undeferred");
	alone();
	say("alone");
	outer(0);
	untied();
	say("untied");
	depends();
	say("depends");
	large();
	say("large");
	aligned(0);
	say("aligned");
	sized(9);
	say("sized");
	detached(1);
	say("detached");
	loop();
	say("loop");
	long_loop(6, ~0ull - 100);
	say("long_loop");
	serial_loop(0);
	say("serial_loop");
	reduces();
	say("reduces");
	cancelled();
	say("cancelled");
	return 0;
}
