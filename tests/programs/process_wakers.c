/* SPDX-License-Identifier: Apache-2.0 */
/* One process wakes a second, and that a third, by one kind of object after another; at last their ends wake the parent. The
   program prints who ended how long a wait, by the clock of the process that waited: function, metric, seconds. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

/* By descriptor of a socket that is to connect: the address of who listens. */
static struct address {
	struct sockaddr_storage name;
	socklen_t size;
} addresses[64];

static void open_listener(int ends[2], int family, const struct sockaddr *name, socklen_t size)
{
	ends[0] = socket(family, SOCK_STREAM, 0);
	ends[1] = socket(family, SOCK_STREAM, 0);
	struct address *address = &addresses[ends[1]];
	address->size = sizeof address->name;
	need(ends[1] < 64 && bind(ends[0], name, size) == 0 && listen(ends[0], 1) == 0);
	need(getsockname(ends[0], (struct sockaddr *)&address->name, &address->size) == 0);
}

static void open_accept(int ends[2])
{
	struct sockaddr_in any = {.sin_family = AF_INET};
	open_listener(ends, AF_INET, (struct sockaddr *)&any, sizeof any);
}

static void open_named(int ends[2])
{
	static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "listener0"};
	unlink(name.sun_path);
	open_listener(ends, AF_UNIX, (struct sockaddr *)&name, sizeof name);
	name.sun_path[8]++;
}

static int wake_by_write(int fd)
{
	uint64_t one = 1;
	return write(fd, &one, sizeof one) == sizeof one;
}
static int wake_by_connect(int fd)
{
	return connect(fd, (struct sockaddr *)&addresses[fd].name, addresses[fd].size) == 0;
}
static int wake_by_end(int fd)
{
	return shutdown(fd, SHUT_WR) == 0;
}

static int wait_in_read(int fd)
{
	uint64_t value;
	return read(fd, &value, sizeof value) >= 0;
}
static int wait_in_accept(int fd)
{
	return accept(fd, 0, 0) >= 0;
}
static int wait_in_poll(int fd)
{
	struct pollfd fds[] = {{.fd = -1}, {.fd = eventfd(0, 0), .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	return poll(fds, 3, -1) == 1 && fds[2].revents;
}
static int wait_in_ppoll(int fd)
{
	struct pollfd *fds = calloc(2, sizeof *fds);
	fds[1] = (struct pollfd){.fd = fd, .events = POLLIN}, fds[0].fd = -1;
	return ppoll(fds, 2, 0, 0) == 1;
}
static int wait_in_select(int fd)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, 0, 0, 0) == 1;
}
/* The data of the event is a pointer. */
static int wait_in_epoll(int fd)
{
	static char other, mine;
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = &mine},
			   idle = {.events = EPOLLIN, .data.ptr = &other};
	int epoll = epoll_create1(0);
	need(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
	need(epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(0, 0), &idle) == 0);
	return epoll_wait(epoll, &event, 1, -1) == 1 && event.data.ptr == &mine;
}

/* At a function's end: its last call is no jump, which would take it off the stack. */
#define STAY     __asm__ volatile("")
#define FUNCTION __attribute__((noinline)) static void
/* A name, how the two ends are opened, who waits and how that ends. */
#define KINDS(_)                                                                                                       \
	_(pipe, pipe, read, write)                                                                                     \
	_(fifo, fifo, read, write)                                                                                     \
	_(pair, pair, read, write)                                                                                     \
	_(event, event, read, write)                                                                                   \
	_(tcp, tcp, read, write)                                                                                       \
	_(end, tcp, read, end)                                                                                         \
	_(accept, accept, accept, connect)                                                                             \
	_(poll, pair, poll, write)                                                                                     \
	_(ppoll, named, ppoll, connect)                                                                                \
	_(select, pipe, select, write)                                                                                 \
	_(epoll, tcp, epoll, write)
#define KIND(kind, open, wait, wake)                                                                                   \
	FUNCTION first_wakes_##kind(int fd)                                                                            \
	{                                                                                                              \
		need(wake_by_##wake(fd));                                                                              \
		STAY;                                                                                                  \
	}                                                                                                              \
	FUNCTION second_wakes_##kind(int fd)                                                                           \
	{                                                                                                              \
		need(wake_by_##wake(fd));                                                                              \
		STAY;                                                                                                  \
	}
KINDS(KIND)

static struct kind {
	const char *name;
	void (*open)(int *), (*wake[WAITS])(int);
	int (*wait)(int), ends[WAITS][2];
} kinds[] = {
#define ROW(kind, open, wait, wake)                                                                                    \
	{#kind, open_##open, {first_wakes_##kind, second_wakes_##kind}, wait_in_##wait, {{0, 0}, {0, 0}}},
	KINDS(ROW)};

static void run(const struct kind *kind, int number)
{
	pthread_barrier_wait(start);
	if (number > 0) {
		double begin = seconds();
		need(kind->wait(kind->ends[number - 1][0]));
		printf("%s_wakes_%s wakeup %.6f\n", number == 1 ? "first" : "second", kind->name, seconds() - begin);
	}
	if (number < WAITS) {
		usleep(STEP);
		kind->wake[number](kind->ends[number][1]);
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
