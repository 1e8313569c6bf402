/* SPDX-License-Identifier: Apache-2.0 */
/* life_chain IMAGES HOW: uses 50 ms of CPU time in each of IMAGES images that exec each other, and prints at the end how
   much CPU time the process used in all, which the kernel counts through the execs. HOW "thread": another thread than the
   first execs, while the first is busy; "failing": each exec is tried once with a file that is none. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned work;

static char **arguments;
static char next[16];

static double cpu_time(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void burn(clockid_t clock, double seconds)
{
	double end = cpu_time(clock) + seconds;
	while (cpu_time(clock) < end)
		for (int i = 0; i < 2000; i++)
			work += (unsigned)i;
}

static void *go_on(void *unused)
{
	char *const list[] = {arguments[0], next, arguments[2], 0};
	(void)unused;
	burn(CLOCK_THREAD_CPUTIME_ID, 0.05);
	if (!strcmp(arguments[2], "failing")) {
		execv("/dev/null", list);
		execv("/proc/self/status", list);
		burn(CLOCK_THREAD_CPUTIME_ID, 0.02);
	}
	execv("/proc/self/exe", list);
	return 0;
}

int main(int count, char **list)
{
	arguments = list;
	int images = count > 2 ? atoi(arguments[1]) : 1;
	if (images <= 1) {
		burn(CLOCK_THREAD_CPUTIME_ID, 0.05);
		printf("%.6f\n", cpu_time(CLOCK_PROCESS_CPUTIME_ID));
		return 0;
	}
	snprintf(next, sizeof next, "%d", images - 1);
	if (strcmp(arguments[2], "thread"))
		go_on(0);
	pthread_t other;
	pthread_create(&other, 0, go_on, 0);
	burn(CLOCK_THREAD_CPUTIME_ID, 10);
	return 1;
}
