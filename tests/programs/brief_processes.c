// SPDX-License-Identifier: Apache-2.0
// N children one after the other, each busy for a moment of another length, with one wait in it. Prints how many did not end
// with status 0. brief_processes N
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* CPU time, whatever the machine: 0.4 to 1.1 ms. */
static long busy_until(int number)
{
	return 400000 + number % 37 * 20000;
}

static long cpu_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void brief(int number)
{
	volatile unsigned sum = 0;
	long begun = cpu_time();
	while (cpu_time() - begun < busy_until(number))
		for (int i = 0; i < 20000; i++)
			sum += (unsigned)i;
	usleep(200); // long enough that the kernel does not return before it has switched
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100, bad = 0;
	for (int i = 0; i < count; i++) {
		int status = 0;
		pid_t child = fork();
		if (!child) {
			brief(i);
			exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 2;
		bad += status != 0;
	}
	printf("%d\n", bad);
	return 0;
}
