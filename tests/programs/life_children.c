/* SPDX-License-Identifier: Apache-2.0 */
/* life_children COUNT SECONDS [exec]: makes COUNT children, one after the other, that use SECONDS of CPU time each, by
   fork alone or by fork and exec, and prints the CPU time of all of them as the kernel says it: RUSAGE_CHILDREN. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned work;

static void burn(double seconds)
{
	struct timespec now;
	do {
		for (int i = 0; i < 2000; i++)
			work += (unsigned)i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < seconds);
}

int main(int count, char **arguments)
{
	struct rusage used;
	if (count < 3)
		return 2;
	if (!strcmp(arguments[1], "burn")) {
		burn(atof(arguments[2]));
		return 0;
	}
	for (int i = 0; i < atoi(arguments[1]); i++) {
		pid_t child = fork();
		if (child == 0 && count > 3)
			execl(arguments[0], arguments[0], "burn", arguments[2], (char *)0);
		if (child == 0) {
			burn(atof(arguments[2]));
			exit(0);
		}
		waitpid(child, 0, 0);
	}
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%.6f\n", (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
				 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
	return 0;
}
