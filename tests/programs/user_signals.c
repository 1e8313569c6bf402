/* SPDX-License-Identifier: Apache-2.0 */
/* All that a program notices of SIGUSR1 and SIGUSR2 that somebody else sends it by kill(2): nothing, if collect uses them for
   -y and -l. Each line says what it saw; the plain run is made with "none", in which nobody sends.

   user_signals COMMAND...: waits, sends itself to others, uses the numbers on its own, as named. "ready" and a line read
   from standard input are how it takes turns with its test. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	handled++;
}

static double cpu_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The test may send signals before it answers. */
static void take_turns(void)
{
	char line[16];
	fputs("ready\n", stderr);
	if (!fgets(line, sizeof line, stdin))
		exit(3);
}

static __attribute__((noinline)) void work(double seconds)
{
	volatile unsigned long sum = 0;
	for (double end = cpu_time() + seconds; cpu_time() < end;)
		for (unsigned i = 0; i < 10000; i++)
			sum += i;
}

__attribute__((noinline)) void first(double seconds)
{
	work(seconds);
	__asm__ volatile("");
}

__attribute__((noinline)) void second(double seconds)
{
	work(seconds);
	__asm__ volatile("");
}

/* While the test sends, in waits that the kernel ends early for a handler. */
static void wait_long(void)
{
	fputs("ready\n", stderr);
	struct timespec half = {.tv_nsec = 500000000}, left;
	int slept = nanosleep(&half, &left);
	printf("nanosleep %d", slept);
	fputs("ready\n", stderr);
	int polled = poll(0, 0, 500);
	printf(" poll %d\n", polled);
}

static void own_handler(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART}, before;
	sigaction(SIGUSR1, &action, 0);
	sigaction(SIGUSR1, 0, &before);
	raise(SIGUSR1);
	sigqueue(getpid(), SIGUSR1, (union sigval){0});
	printf("own handler %d, read back %d\n", (int)handled, before.sa_handler == handle);
}

static void ignored(void)
{
	void (*before)(int) = signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	fflush(stdout);
	int status = system("trap '' 0; grep SigIgn /proc/self/status");
	printf("ignored: was default %d, status %d\n", before == SIG_DFL, status);
	signal(SIGUSR1, SIG_DFL);
}

/* By default raise() kills. */
static void killed_child(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		raise(SIGUSR2);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("child: signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static const char *self;

/* A child that works, and itself as another image that works. */
static void become_another(void)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		second(0.1);
		_exit(0);
	}
	waitpid(child, 0, 0);
	execl(self, self, "second=0.1", (char *)0);
	exit(2);
}

static const struct {
	const char *name;
	void (*run)(void);
} commands[] = {
	{"turn", take_turns},
	{"wait", wait_long},
	{"own", own_handler},
	{"ignore", ignored},
	{"child", killed_child},
	{"exec", become_another},
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "first=", 6) == 0)
			first(atof(argv[i] + 6));
		if (strncmp(argv[i], "second=", 7) == 0)
			second(atof(argv[i] + 7));
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
			if (strcmp(argv[i], commands[k].name) == 0)
				commands[k].run();
	}
	puts("end");
	return 0;
}
