// SPDX-License-Identifier: Apache-2.0
// A load of known shape, which says at its end what the kernel charged it, "user N system N" in nanoseconds, by getrusage:
//   cpu_load burn THREADS MILLISECONDS          each thread busy for so long (CPU time)
//   cpu_load half THREADS MILLISECONDS          each thread busy as long, asleep as long again, in pieces of 10 ms
//   cpu_load burst MICROSECONDS MILLISECONDS    busy for so many us, then asleep, until so much CPU time is used
//   cpu_load short COUNT MICROSECONDS           so many threads, four at a time, each busy for so long, then gone
//   cpu_load system PERCENT MILLISECONDS        that share of the CPU time in the kernel (as the kernel accounts it)
//   cpu_load children COUNT MICROSECONDS        so many child processes, two at a time, each busy for so long
//   cpu_load crowd COUNT MILLISECONDS           so many threads, all there at the same time, each busy for so long
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __thread volatile unsigned long sink;
static uint64_t amount; /* nanoseconds of CPU time */
static pthread_barrier_t all_there;

static uint64_t cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void busy(uint64_t nanoseconds)
{
	for (uint64_t start = cpu_time(); cpu_time() - start < nanoseconds;)
		for (int i = 0; i < 2000; i++)
			sink += (unsigned)i;
}

static void rest(long nanoseconds)
{
	struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	nanosleep(&t, 0);
}

static void *burn(void *unused)
{
	busy(amount);
	return unused;
}

static void *burn_together(void *unused)
{
	pthread_barrier_wait(&all_there);
	busy(amount);
	return unused;
}

static void *half(void *unused)
{
	for (uint64_t done = 0; done < amount; done += 10000000) {
		busy(10000000);
		rest(10000000);
	}
	return unused;
}

static void in_threads(void *(*f)(void *), int count)
{
	pthread_t *threads = calloc((size_t)count, sizeof(*threads));
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	pthread_barrier_init(&all_there, 0, (unsigned)count);
	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], &attributes, f, 0) != 0)
			abort();
	f(0);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], 0);
	free(threads);
}

static void burst(uint64_t length)
{
	while (cpu_time() < amount) {
		busy(length);
		rest((long)length * 3);
	}
}

static int left; /* atomic */
static void *in_turn(void *unused)
{
	while (__atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) > 0) {
		pthread_t thread;
		if (pthread_create(&thread, 0, burn, 0) != 0)
			abort();
		pthread_join(thread, 0);
	}
	return unused;
}

static uint64_t time_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

static void with_system(uint64_t percent)
{
	int fd = open("/dev/zero", O_RDONLY);
	static char bytes[65536];
	for (uint64_t used = 0; used < amount;) {
		struct rusage usage;
		getrusage(RUSAGE_SELF, &usage);
		used = time_of(&usage.ru_utime) + time_of(&usage.ru_stime);
		if (time_of(&usage.ru_stime) * 100 >= used * percent)
			for (int i = 0; i < 200000; i++) /* no look at a clock: that is a system call */
				sink += (unsigned)i;
		else
			for (int i = 0; i < 20; i++)
				sink += (unsigned)read(fd, bytes, sizeof(bytes));
	}
	close(fd);
}

static void children(int count)
{
	for (int i = 0; i < count; i++) {
		if (i >= 2)
			wait(0);
		if (fork() == 0) {
			busy(amount);
			exit(0);
		}
	}
	while (wait(0) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const char *shape = argv[1];
	uint64_t first = strtoull(argv[2], 0, 10), second = strtoull(argv[3], 0, 10);
	int micro = strcmp(shape, "short") == 0 || strcmp(shape, "children") == 0;
	amount = second * (micro ? 1000 : 1000000);
	if (strcmp(shape, "burn") == 0)
		in_threads(burn, (int)first);
	else if (strcmp(shape, "crowd") == 0)
		in_threads(burn_together, (int)first);
	else if (strcmp(shape, "half") == 0)
		in_threads(half, (int)first);
	else if (strcmp(shape, "burst") == 0)
		burst(first * 1000);
	else if (strcmp(shape, "system") == 0)
		with_system(first);
	else if (strcmp(shape, "children") == 0)
		children((int)first);
	else
		left = (int)first, in_threads(in_turn, 4);
	struct rusage own, of_children;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &of_children);
	printf("user %llu system %llu\n", (unsigned long long)(time_of(&own.ru_utime) + time_of(&of_children.ru_utime)),
		(unsigned long long)(time_of(&own.ru_stime) + time_of(&of_children.ru_stime)));
	return 0;
}
