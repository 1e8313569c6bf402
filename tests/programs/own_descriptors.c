// SPDX-License-Identifier: Apache-2.0
// Closes every descriptor that it did not open, in each of the ways that programs do that, then works on for so much CPU time:
// own_descriptors close|closefrom|close_range|dup2|proc|syscall MILLISECONDS. What it sees must be what it would see alone: the
// results are printed. "user N system N" is its own account, as cpu_load's.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static __attribute__((noinline)) void work(double milliseconds)
{
	for (double start = cpu_time(); cpu_time() - start < milliseconds;)
		for (int i = 0; i < 100000; i++)
			sink += (unsigned)i;
}

static int limit(void)
{
	struct rlimit l;
	getrlimit(RLIMIT_NOFILE, &l);
	return l.rlim_cur < 20000 ? (int)l.rlim_cur : 20000;
}

static void close_each(void)
{
	int closed = 0;
	for (int fd = 3; fd < limit(); fd++)
		closed += close(fd) == 0;
	printf("closed %d, the last said %d\n", closed, errno);
}

static void dup_onto_each(void)
{
	int done = 0, other = 0;
	for (int fd = 3; fd < limit(); fd++) {
		done += dup2(1, fd) == fd;
		other += dup2(fd, 2) != 2;
		close(fd);
	}
	printf("duplicated %d, back %d\n", done, other);
}

static void close_listed(void)
{
	int numbers[4096], count = 0, closed = 0;
	DIR *directory = opendir("/proc/self/fd");
	for (struct dirent *entry; (entry = readdir(directory)) && count < 4096;)
		if (atoi(entry->d_name) > 2)
			numbers[count++] = atoi(entry->d_name);
	closedir(directory);
	for (int i = 0; i < count; i++)
		closed += close(numbers[i]) == 0;
	printf("closed what is listed: %d\n", closed);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	work(atof(argv[2]) / 10);
	if (strcmp(argv[1], "close") == 0)
		close_each();
	else if (strcmp(argv[1], "closefrom") == 0)
		closefrom(3);
	else if (strcmp(argv[1], "close_range") == 0)
		printf("close_range: %d\n", close_range(3, ~0u, CLOSE_RANGE_UNSHARE));
	else if (strcmp(argv[1], "dup2") == 0)
		dup_onto_each();
	else if (strcmp(argv[1], "proc") == 0)
		close_listed();
	else
		syscall(SYS_close_range, 3, ~0u, 0);
	printf("next: %d\n", open("/dev/null", O_RDONLY));
	work(atof(argv[2]));
	struct rusage own;
	getrusage(RUSAGE_SELF, &own);
	FILE *account = fopen("own.true", "w");
	fprintf(account, "user %llu system %llu\n",
		(unsigned long long)own.ru_utime.tv_sec * 1000000000 + (unsigned long long)own.ru_utime.tv_usec * 1000,
		(unsigned long long)own.ru_stime.tv_sec * 1000000000 + (unsigned long long)own.ru_stime.tv_usec * 1000);
	fclose(account);
	return 0;
}
