/* SPDX-License-Identifier: Apache-2.0 */
/* Starts processes, one after the other, that end at once: ending_processes fork|exec NUMBER. With exec each runs this program
   again. Prints "CPU FAULTS": microseconds and minor page faults of each, with what the parent spends on it. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct use {
	double microseconds, faults;
};

static double microseconds(const struct timeval *time)
{
	return (double)time->tv_sec * 1e6 + (double)time->tv_usec;
}

static struct use used(void)
{
	struct use sum = {0, 0};
	int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
	for (int i = 0; i < 2; i++) {
		struct rusage usage;
		getrusage(whose[i], &usage);
		sum.microseconds += microseconds(&usage.ru_utime) + microseconds(&usage.ru_stime);
		sum.faults += (double)usage.ru_minflt;
	}
	return sum;
}

static pid_t start(int by_exec, char *program)
{
	char *arguments[] = {program, 0};
	pid_t child = -1;
	if (by_exec)
		return posix_spawn(&child, "/proc/self/exe", 0, 0, arguments, environ) ? -1 : child;
	child = fork();
	if (!child)
		_exit(0);
	return child;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 0;
	int number = atoi(argv[2]), status;
	struct use before = used();
	for (int i = 0; i < number; i++) {
		pid_t child = start(strcmp(argv[1], "exec") == 0, argv[0]);
		if (child < 0 || waitpid(child, &status, 0) != child || status)
			return 1;
	}
	struct use after = used();
	printf("%.1f %.1f\n", (after.microseconds - before.microseconds) / number,
		(after.faults - before.faults) / number);
	return 0;
}
