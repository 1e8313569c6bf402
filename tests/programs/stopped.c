/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is stopped by signals: by itself, with a child, and by another process while its threads
   sleep, read and compute. For each
   it prints the function, the metric and the seconds by its own clocks. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP = 60000, BEFORE = 50000, WHOLE = 200 };
static double *stopped_from_outside;
static int requests[2], data[2];

static void need(int success)
{
	if (!success)
		abort();
}

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int is_stopped(pid_t process)
{
	char path[64], text[512] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
	FILE *file = fopen(path, "r");
	need(file && fread(text, 1, sizeof text - 1, file) > 0);
	fclose(file);
	return strstr(text, ") T ") != 0;
}

/* Returns when it did. */
static double continue_after(pid_t process)
{
	while (!is_stopped(process))
		usleep(500);
	usleep(STOP);
	double now = seconds();
	need((kill(-process, SIGCONT) == 0 || errno == ESRCH) && kill(process, SIGCONT) == 0);
	return now;
}

/* For each byte 'c' the helper continues its parent after a while, for 's' it stops it before. */
static void help(pid_t parent)
{
	char what;
	while (read(requests[0], &what, 1) == 1) {
		double begin = seconds();
		if (what == 's') {
			usleep(BEFORE);
			begin = seconds();
			need(kill(parent, SIGSTOP) == 0);
		}
		*stopped_from_outside = continue_after(parent) - begin;
		if (what == 's') {
			usleep(WHOLE * 1000);
			need(write(data[1], "", 1) == 1);
		}
	}
}

#define STOPS(name, what)                                                                                              \
	__attribute__((noinline)) static void name(void)                                                               \
	{                                                                                                              \
		need(write(requests[1], "c", 1) == 1);                                                                 \
		double begin = seconds();                                                                              \
		what;                                                                                                  \
		printf("%s stop %.6f\n", #name, seconds() - begin);                                                    \
	}
STOPS(stop_by_raise, raise(SIGSTOP))
STOPS(stop_by_kill, kill(getpid(), SIGSTOP))
STOPS(stop_group, killpg(getpid(), SIGSTOP))

__attribute__((noinline)) static void sleep_in_child(void)
{
	usleep(WHOLE * 1000);
	__asm__ volatile(""); /* it has a frame */
}

/* A child in the same process group is stopped and continued with its parent. */
static void stop_with_child(void)
{
	need(setpgid(0, 0) == 0);
	fflush(stdout);
	double begin = seconds();
	pid_t child = fork();
	if (child == 0) {
		sleep_in_child();
		_exit(0);
	}
	usleep(BEFORE);
	stop_group();
	need(waitpid(child, 0, 0) == child);
	double passed = seconds() - begin;
	printf("sleep_in_child stop %.6f\nsleep_in_child sleep %.6f\n", *stopped_from_outside,
		passed - *stopped_from_outside);
}

/* A thread's part: a wait of `metric` (0: it computes) with the stop in it. */
#define GOES_THROUGH(name, metric, what)                                                                               \
	__attribute__((noinline)) static void *name(void *unused)                                                      \
	{                                                                                                              \
		double begin = seconds();                                                                              \
		what;                                                                                                  \
		double passed = seconds() - begin;                                                                     \
		if (metric)                                                                                            \
			printf("%s %s %.6f\n", #name, metric, passed - *stopped_from_outside);                         \
		printf("%s stop %.6f\n", #name, *stopped_from_outside);                                                \
		return unused;                                                                                         \
	}
GOES_THROUGH(sleep_through, "sleep", usleep(WHOLE * 1000))
GOES_THROUGH(read_through, "filewait", need(read(data[0], &(char){0}, 1) == 1))
GOES_THROUGH(compute_through, (const char *)0,
	for (volatile long i = 0; i % 100000 || seconds() - begin < WHOLE / 1000.; i++))

static void stop_from_outside(void)
{
	static void *(*const parts[])(void *) = {sleep_through, read_through, compute_through};
	enum { PARTS = sizeof parts / sizeof *parts };
	pthread_t threads[PARTS];
	need(write(requests[1], "s", 1) == 1);
	for (int i = 0; i < PARTS; i++)
		need(pthread_create(&threads[i], 0, parts[i], 0) == 0);
	for (int i = 0; i < PARTS; i++)
		need(pthread_join(threads[i], 0) == 0);
}

int main(void)
{
	pid_t parent = getpid();
	stopped_from_outside =
		mmap(0, sizeof *stopped_from_outside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	need(stopped_from_outside != MAP_FAILED && pipe(requests) == 0 && pipe(data) == 0);
	pid_t helper = fork();
	if (helper == 0) {
		close(requests[1]);
		help(parent);
		_exit(0);
	}
	stop_by_raise();
	stop_by_kill();
	stop_with_child();
	stop_from_outside();
	close(requests[1]);
	need(waitpid(helper, 0, 0) == helper);
	return 0;
}
