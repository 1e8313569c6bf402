/* SPDX-License-Identifier: Apache-2.0 */
/* life_ends HOW: uses 0.2 s of CPU time, prints how much it was (seconds, user + system), and ends in the way HOW. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned work;

static double cpu_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void burn(double seconds)
{
	while (cpu_time() < seconds)
		for (int i = 0; i < 10000; i++)
			work += (unsigned)i;
}

static void *end_later(void *unused)
{
	(void)unused;
	burn(0.3);
	printf("%.6f\n", cpu_time());
	fflush(stdout);
	return 0;
}

static void at_the_end(void)
{
	burn(cpu_time() + 0.1);
	printf("%.6f\n", cpu_time());
	fflush(stdout);
}

/* Runs after what other libraries registered: what it burns is a program's last. */
static __attribute__((destructor)) void destructor(void)
{
	if (getenv("LIFE_ENDS_DESTRUCTOR"))
		at_the_end();
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "return";
	pthread_t other;
	burn(0.2);
	printf("%.6f\n", cpu_time());
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(11);
	if (!strcmp(how, "atexit")) {
		atexit(at_the_end);
		exit(12);
	}
	if (!strcmp(how, "_exit"))
		_exit(13);
	if (!strcmp(how, "_Exit"))
		_Exit(14);
	if (!strcmp(how, "quick_exit"))
		quick_exit(15);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "segv"))
		*(volatile int *)(uintptr_t)(count > 5 ? count : 8) = 1;
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "pthread_exit")) {
		pthread_create(&other, 0, end_later, 0);
		pthread_exit(0);
	}
	if (!strcmp(how, "daemon")) {
		if (daemon(1, 1))
			return 1;
		burn(0.2); /* a new process: its clock begins again */
		printf("%.6f\n", cpu_time());
		fflush(stdout);
		return 0;
	}
	if (!strcmp(how, "exec_failure")) {
		execl("/nonexistent/program", "program", (char *)0);
		execl("/dev/null", "null", (char *)0);
		burn(0.3);
		printf("%.6f\n", cpu_time());
		fflush(stdout);
		return 16;
	}
	return 17;
}
