/* SPDX-License-Identifier: Apache-2.0 */
/* Work whose counts are known, each in a function of its own that then computes until its counts have been read. It prints what
   only the run can tell: FUNCTION NAME COUNT. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 1000, BLOCK = 1000, WRITES = 500, PAGE = 4096, PAGES = 4096, SLEEPS = 50, WAITS = 20, MESSAGES = 20 };
enum { MS = 1000000 };
static const int64_t SECOND = 1000000000;

static int64_t now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

static volatile unsigned sum;
static int64_t switched, synchronized, received; /* what is printed at the end */

/* Ticks come, the last one with all that was done before. A caller does something afterwards, so that it is in the stacks. */
__attribute__((noinline)) static void compute(void)
{
	for (int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + 20 * MS; now(CLOCK_THREAD_CPUTIME_ID) < end;)
		for (unsigned i = 0; i < 1 << 14; i++)
			sum = sum * 5 + i;
}

static void nap(int64_t nanoseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, 0);
}

__attribute__((noinline)) static void allocate(void)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		char *volatile block = malloc(BLOCK);
		free(block);
	}
	compute();
	sum++;
}

__attribute__((noinline)) static void transfer(void)
{
	static char bytes[PAGE];
	int null = open("/dev/null", O_WRONLY);
	for (unsigned i = 0; i < WRITES; i++)
		if (write(null, bytes, sizeof bytes) != sizeof bytes)
			abort();
	close(null);
	compute();
	sum++;
}

__attribute__((noinline)) static void touch(void)
{
	char *area = mmap(0, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		abort();
	madvise(area, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < PAGES; i++)
		((volatile char *)area)[(size_t)i * PAGE] = 1;
	compute();
	munmap(area, (size_t)PAGES * PAGE);
}

__attribute__((noinline)) static void rest(void)
{
	struct rusage before, after;
	getrusage(RUSAGE_THREAD, &before);
	for (unsigned i = 0; i < SLEEPS; i++)
		nap(MS);
	compute();
	getrusage(RUSAGE_THREAD, &after);
	switched = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

__attribute__((noinline)) static void await(void)
{
	int64_t waited = 0;
	pthread_mutex_lock(&mutex);
	for (unsigned i = 0; i < WAITS; i++) {
		int64_t begin = now(CLOCK_MONOTONIC), end = now(CLOCK_REALTIME) + 5 * MS;
		pthread_cond_timedwait(&never, &mutex, &(struct timespec){end / SECOND, end % SECOND});
		waited += now(CLOCK_MONOTONIC) - begin;
	}
	pthread_mutex_unlock(&mutex);
	compute();
	synchronized = waited;
}

static int line[2];

static void *send(void *unused)
{
	for (unsigned i = 0; i < MESSAGES; i++) {
		nap(5 * MS);
		if (write(line[1], "m", 1) != 1)
			abort();
	}
	return unused;
}

__attribute__((noinline)) static void receive(void)
{
	pthread_t sender;
	int64_t waited = 0;
	char byte;
	if (pipe(line) || pthread_create(&sender, 0, send, 0))
		abort();
	for (unsigned i = 0; i < MESSAGES; i++) {
		int64_t begin = now(CLOCK_MONOTONIC);
		if (read(line[0], &byte, 1) != 1)
			abort();
		waited += now(CLOCK_MONOTONIC) - begin;
	}
	pthread_join(sender, 0);
	compute();
	received = waited;
}

int main(void)
{
	compute(); /* the first reading begins the account */
	allocate();
	transfer();
	touch();
	rest();
	await();
	receive();
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	printf("rest context-switches %lld\n", (long long)switched);
	printf("await sync-wait %lld\n", (long long)synchronized);
	printf("receive io-wait %lld\n", (long long)received);
	printf("main user-time %lld\n", used.ru_utime.tv_sec * (long long)SECOND + used.ru_utime.tv_usec * 1000LL);
	printf("main system-time %lld\n", used.ru_stime.tv_sec * (long long)SECOND + used.ru_stime.tv_usec * 1000LL);
	return 0;
}
