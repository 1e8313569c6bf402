/* SPDX-License-Identifier: Apache-2.0 */
/* Makes threads, two at a time, for ever, and says after each pair on standard output, in one write, what an experiment
   must hold from now on whatever happens: how many threads began and ended, and the CPU time that they had used when their
   routines returned, in nanoseconds. It is killed from outside. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned work;

static uint64_t cpu_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *burn(void *unused)
{
	(void)unused;
	uint64_t end = cpu_time() + 400000;
	while (cpu_time() < end)
		work += 1;
	return (void *)(uintptr_t)cpu_time();
}

int main(void)
{
	uint64_t used = 0;
	for (unsigned long threads = 2;; threads += 2) {
		pthread_t pair[2];
		void *result;
		char line[64];
		for (int i = 0; i < 2; i++)
			if (pthread_create(&pair[i], 0, burn, 0))
				return 1;
		for (int i = 0; i < 2; i++) {
			pthread_join(pair[i], &result);
			used += (uintptr_t)result;
		}
		int size = snprintf(line, sizeof line, "%lu %llu\n", threads, (unsigned long long)used);
		if (write(STDOUT_FILENO, line, (size_t)size) != size)
			return 1;
	}
}
