/* SPDX-License-Identifier: Apache-2.0 */
/* Runs commands in turn, round by round (A B C A B C ...), and prints medians and their ratios to the first
 * command.
 *
 *   paired ROUNDS LABEL COMMAND [LABEL COMMAND]...
 *
 * Each COMMAND is for sh -c, which execs it; its standard output and error are thrown away unless it
 * redirects them. A line for each: label, median of wall time and of CPU time (user + system, with its
 * children) in seconds, greatest resident set of one process in MB, and the median over the rounds of wall
 * time and CPU time divided by the first command's in the same round. The first round warms caches and is not
 * counted. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 16
#define ROUNDS_MAX   1000

struct measured {
	double wall, cpu; /* seconds */
	long resident;    /* KB */
};

static struct measured measured[COMMANDS_MAX][ROUNDS_MAX];

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct measured run(const char *label, const char *command)
{
	struct measured result;
	struct rusage usage;
	int status;
	double start = now();
	pid_t child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execl("/bin/sh", "sh", "-c", command, (char *)0);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child) {
		perror("paired");
		exit(1);
	}
	result.wall = now() - start;
	result.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	result.resident = usage.ru_maxrss;
	if (status != 0) {
		fprintf(stderr, "paired: %s ended with wait status %d: %s\n", label, status, command);
		exit(1);
	}
	return result;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void print(const char *label, const struct measured *own, const struct measured *first, int rounds)
{
	double wall[ROUNDS_MAX], cpu[ROUNDS_MAX], wall_ratio[ROUNDS_MAX], cpu_ratio[ROUNDS_MAX];
	long resident = 0;
	for (int i = 0; i < rounds; i++) {
		wall[i] = own[i].wall;
		cpu[i] = own[i].cpu;
		wall_ratio[i] = own[i].wall / first[i].wall;
		cpu_ratio[i] = first[i].cpu > 0 ? own[i].cpu / first[i].cpu : 0;
		resident = own[i].resident > resident ? own[i].resident : resident;
	}
	printf("%-34s %8.3f s wall %8.3f s CPU %7.1f MB   x%.4f wall  x%.4f CPU\n", label, median(wall, rounds),
		median(cpu, rounds), (double)resident / 1024, median(wall_ratio, rounds), median(cpu_ratio, rounds));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	int commands = (argc - 2) / 2;
	if (argc < 4 || argc % 2 || rounds < 1 || rounds >= ROUNDS_MAX || commands > COMMANDS_MAX) {
		fprintf(stderr, "usage: paired ROUNDS LABEL COMMAND [LABEL COMMAND]...\n");
		return 2;
	}
	for (int round = -1; round < rounds; round++) {
		for (int i = 0; i < commands; i++)
			measured[i][round < 0 ? 0 : round] = run(argv[2 + 2 * i], argv[3 + 2 * i]);
	}
	for (int i = 0; i < commands; i++)
		print(argv[2 + 2 * i], measured[i], measured[0], rounds);
	return 0;
}
