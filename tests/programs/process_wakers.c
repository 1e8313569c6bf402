/* SPDX-License-Identifier: Apache-2.0 */
/* One process wakes a second, and that a third, by one kind of object after another; at last their ends wake the parent. The
   program prints who ended how long a wait, by the clock of the process that waited: function, metric, seconds. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 60000, WAITS = 2 }; /* microseconds */

static pthread_barrier_t *start; /* of all processes */

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void need(int success)
{
	if (!success)
		abort();
}

/* [0] is read from, [1] written to. */
static void open_pipe(int ends[2])
{
	need(pipe(ends) == 0);
}

static void *open_to_write(void *fd)
{
	usleep(STEP / 4);
	*(int *)fd = open("fifo", O_WRONLY);
	return 0;
}

/* The call that opens the first end waits for the other. */
static void open_fifo(int ends[2])
{
	pthread_t thread;
	need(mkfifo("fifo", 0600) == 0);
	need(pthread_create(&thread, 0, open_to_write, &ends[1]) == 0);
	ends[0] = open("fifo", O_RDONLY);
	pthread_join(thread, 0);
	need(ends[0] >= 0 && ends[1] >= 0 && unlink("fifo") == 0);
}

static void open_pair(int ends[2])
{
	need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}

static void open_event(int ends[2])
{
	need((ends[0] = ends[1] = eventfd(0, 0)) >= 0);
}

/* One end knows the other by the address of the other family. */
static void open_tcp(int ends[2])
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6};
	struct sockaddr_in of4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET6, SOCK_STREAM, 0), off = 0;
	need(setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0);
	need(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
	need(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
	of4.sin_port = address.sin6_port;
	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	need(connect(ends[1], (struct sockaddr *)&of4, sizeof of4) == 0);
	need((ends[0] = accept(listener, 0, 0)) >= 0);
	close(listener);
}

/* At a function's end: its last call is no jump, which would take it off the stack. */
#define STAY     __asm__ volatile("")
#define FUNCTION __attribute__((noinline)) static void
#define KINDS(_) _(pipe) _(fifo) _(pair) _(event) _(tcp)
#define KIND(kind)                                                                                                     \
	FUNCTION first_wakes_##kind(int fd, const uint64_t *one)                                                       \
	{                                                                                                              \
		need(write(fd, one, sizeof *one) == sizeof *one);                                                      \
		STAY;                                                                                                  \
	}                                                                                                              \
	FUNCTION second_wakes_##kind(int fd, const uint64_t *one)                                                      \
	{                                                                                                              \
		need(write(fd, one, sizeof *one) == sizeof *one);                                                      \
		STAY;                                                                                                  \
	}
KINDS(KIND)

static struct kind {
	const char *name;
	void (*open)(int *), (*wake[WAITS])(int, const uint64_t *);
	int ends[WAITS][2];
} kinds[] = {
#define ROW(kind) {#kind, open_##kind, {first_wakes_##kind, second_wakes_##kind}, {{0, 0}, {0, 0}}},
	KINDS(ROW)};

FUNCTION wait_for(int fd)
{
	uint64_t value;
	need(read(fd, &value, sizeof value) == sizeof value);
	STAY;
}

static void run(const struct kind *kind, int number)
{
	uint64_t one = 1;
	pthread_barrier_wait(start);
	if (number > 0) {
		double begin = seconds();
		wait_for(kind->ends[number - 1][0]);
		printf("%s_wakes_%s wakeup %.6f\n", number == 1 ? "first" : "second", kind->name, seconds() - begin);
	}
	if (number < WAITS) {
		usleep(STEP);
		kind->wake[number](kind->ends[number][1], &one);
	}
}

/* The place where a process ends is known by its last clock tick. */
FUNCTION end_and_wake(int number)
{
	enum { CPU_TIME = 40000 }; /* microseconds */
	usleep(STEP * (number + 1));
	for (clock_t begin = clock(); clock() - begin < CPU_TIME;)
		;
	exit(0);
}

int main(void)
{
	enum { PROCESSES = WAITS + 1 };
	pthread_barrierattr_t shared;
	start = mmap(0, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(start, &shared, PROCESSES);
	for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (int n = 0; n < WAITS; n++)
			kinds[k].open(kinds[k].ends[n]);
	for (int number = 0; number < PROCESSES; number++)
		if (fork() == 0) {
			for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
				run(&kinds[k], number);
			end_and_wake(number);
		}
	double begin = seconds();
	for (int n = 0; n < PROCESSES; n++)
		need(wait(0) > 0);
	printf("end_and_wake wakeup %.6f\n", seconds() - begin);
	return 0;
}
