// SPDX-License-Identifier: Apache-2.0
// Works in first(), second() and first() again, 150 ms of CPU time each, and sleeps 300 ms before the last. A thread of it works in
// second() meanwhile.
#include <pthread.h>
#include <time.h>

static volatile unsigned long sink;

static double used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(void)
{
	for (double end = used() + 0.15; used() < end;)
		for (unsigned long i = 0; i < 20000; i++)
			sink += i;
}

__attribute__((noipa)) static void first(void)
{
	work();
	sink++;
}

__attribute__((noipa)) static void second(void)
{
	work();
	sink++;
}

static void *in_thread(void *none)
{
	second();
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, in_thread, 0);
	first();
	second();
	nanosleep(&(struct timespec){.tv_nsec = 300000000}, 0);
	first();
	pthread_join(thread, 0);
	return 0;
}
