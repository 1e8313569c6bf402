/* SPDX-License-Identifier: Apache-2.0 */
/* The first thread wakes the second, which wakes the third, by one kind of object after another. The program prints who ended how
   long a wait, by the clock of the thread that waited: function, metric, seconds. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 60000, THREADS = 3 }; /* microseconds */

static pthread_mutex_t mutex[THREADS], guard[THREADS];
static pthread_rwlock_t shared[THREADS];
static pthread_cond_t condition[THREADS];
static sem_t semaphore[THREADS];
static pthread_barrier_t barrier[THREADS];
static int word[THREADS], signalled[THREADS];
static int plain[THREADS][2], full[THREADS][2], ended[THREADS][2], flushed[THREADS][2], event[THREADS],
	socket_ends[THREADS][2];
static FILE *stream[THREADS];
static pthread_barrier_t start;

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

#define FUNCTION __attribute__((noinline)) static void
/* At a function's end: its last call is no jump, which would take it off the stack. */
#define STAY __asm__ volatile("")
/* clang-format off */
FUNCTION wait_mutex(int n) { pthread_mutex_lock(&mutex[n]); STAY; }
FUNCTION wait_shared(int n) { pthread_rwlock_rdlock(&shared[n]); STAY; }
FUNCTION wait_condition(int n)
{
	pthread_mutex_lock(&guard[n]);
	while (!signalled[n])
		pthread_cond_wait(&condition[n], &guard[n]);
	pthread_mutex_unlock(&guard[n]);
	STAY;
}
FUNCTION wait_semaphore(int n) { need(sem_wait(&semaphore[n]) == 0); STAY; }
FUNCTION wait_barrier(int n) { pthread_barrier_wait(&barrier[n]); STAY; }
FUNCTION wait_futex(int n)
{
	while (!__atomic_load_n(&word[n], __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &word[n], FUTEX_WAIT, 0, 0, 0, 0);
	STAY;
}
FUNCTION take_byte(int fd) { char byte; need(read(fd, &byte, 1) == 1); STAY; }
FUNCTION wait_pipe(int n) { take_byte(plain[n][0]); STAY; }
FUNCTION wait_stream(int n) { take_byte(flushed[n][0]); STAY; }
FUNCTION wait_socket(int n) { take_byte(socket_ends[n][0]); STAY; }
FUNCTION wait_end(int n) { char byte; need(read(ended[n][0], &byte, 1) == 0); STAY; }
FUNCTION wait_room(int n) { static char block[4096]; need(write(full[n][1], block, sizeof block) == sizeof block); STAY; }
FUNCTION wait_event(int n) { eventfd_t value; need(eventfd_read(event[n], &value) == 0); STAY; }
FUNCTION own_mutex(int n) { pthread_mutex_lock(&mutex[n]); }
FUNCTION own_shared(int n) { pthread_rwlock_wrlock(&shared[n]); }
FUNCTION own_nothing(int n) { (void)n; }
static void end_mutex(int n) { pthread_mutex_unlock(&mutex[n]); STAY; }
static void end_shared(int n) { pthread_rwlock_unlock(&shared[n]); STAY; }
static void end_condition(int n)
{
	pthread_mutex_lock(&guard[n]);
	signalled[n] = 1;
	pthread_cond_signal(&condition[n]);
	pthread_mutex_unlock(&guard[n]);
	STAY;
}
static void end_semaphore(int n) { sem_post(&semaphore[n]); STAY; }
static void end_barrier(int n) { pthread_barrier_wait(&barrier[n]); STAY; }
static void end_futex(int n)
{
	__atomic_store_n(&word[n], 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &word[n], FUTEX_WAKE, 1, 0, 0, 0);
	STAY;
}
static void end_pipe(int n) { need(write(plain[n][1], "x", 1) == 1); STAY; }
static void end_stream(int n) { fputs("x", stream[n]); fflush(stream[n]); STAY; }
static void end_socket(int n) { need(send(socket_ends[n][1], "x", 1, 0) == 1); STAY; }
static void end_end(int n) { close(ended[n][1]); STAY; }
static void end_room(int n) { static char blocks[1 << 16]; need(read(full[n][0], blocks, sizeof blocks) > 0); STAY; }
static void end_event(int n) { need(eventfd_write(event[n], 1) == 0); STAY; }
/* clang-format on */

/* The wakers of the first and the second thread have names of their own. */
#define KIND(kind)                                                                                                     \
	FUNCTION first_wakes_##kind(int n)                                                                             \
	{                                                                                                              \
		end_##kind(n);                                                                                         \
		STAY;                                                                                                  \
	}                                                                                                              \
	FUNCTION second_wakes_##kind(int n)                                                                            \
	{                                                                                                              \
		end_##kind(n);                                                                                         \
		STAY;                                                                                                  \
	}
#define KINDS(_)                                                                                                       \
	_(mutex, own_mutex)                                                                                            \
	_(shared, own_shared)                                                                                          \
	_(condition, own_nothing)                                                                                      \
	_(semaphore, own_nothing)                                                                                      \
	_(barrier, own_nothing)                                                                                        \
	_(futex, own_nothing)                                                                                          \
	_(pipe, own_nothing)                                                                                           \
	_(stream, own_nothing)                                                                                         \
	_(socket, own_nothing) _(end, own_nothing) _(room, own_nothing) _(event, own_nothing)
#define DEFINE(kind, own) KIND(kind)
KINDS(DEFINE)

static const struct kind {
	const char *name;
	void (*own)(int), (*wait)(int), (*wake[2])(int);
} kinds[] = {
#define ROW(kind, own) {#kind, own, wait_##kind, {first_wakes_##kind, second_wakes_##kind}},
	KINDS(ROW)};

/* Nobody waits for thread number 2, nor does number 0 wait. */
static void run(const struct kind *kind, int number)
{
	if (number < 2)
		kind->own(number);
	pthread_barrier_wait(&start);
	if (number > 0) {
		static const char *const who[] = {"first", "second"};
		double begin = seconds();
		kind->wait(number - 1);
		printf("%s_wakes_%s wakeup %.6f\n", who[number - 1], kind->name, seconds() - begin);
	}
	if (number < 2) {
		usleep(STEP);
		kind->wake[number](number);
	}
}

static void *run_all(void *number)
{
	for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
		run(&kinds[k], *(int *)number);
	return 0;
}

/* Both ends of a connection over the loopback interface. */
static void connect_ends(int ends[2])
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	need(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
	need(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	need(connect(ends[1], (struct sockaddr *)&address, sizeof address) == 0);
	ends[0] = accept(listener, 0, 0);
	need(ends[0] >= 0);
	close(listener);
}

static void open_descriptors(int n)
{
	need(pipe(plain[n]) == 0 && pipe(full[n]) == 0 && pipe(ended[n]) == 0 && pipe(flushed[n]) == 0);
	need((stream[n] = fdopen(flushed[n][1], "w")) && (event[n] = eventfd(0, 0)) >= 0);
	connect_ends(socket_ends[n]);
	fcntl(full[n][1], F_SETFL, O_NONBLOCK);
	static char block[4096];
	while (write(full[n][1], block, sizeof block) > 0)
		;
	fcntl(full[n][1], F_SETFL, 0);
}

int main(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	pthread_barrier_init(&start, 0, THREADS);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		open_descriptors(i);
		pthread_mutex_init(&mutex[i], 0);
		pthread_mutex_init(&guard[i], 0);
		pthread_rwlock_init(&shared[i], 0);
		pthread_cond_init(&condition[i], 0);
		sem_init(&semaphore[i], 0, 0);
		pthread_barrier_init(&barrier[i], 0, 2);
	}
	for (int i = 0; i < THREADS; i++)
		need(pthread_create(&threads[i], 0, run_all, &numbers[i]) == 0);
	double begin = seconds();
	for (int i = THREADS; i-- > 0;)
		pthread_join(threads[i], 0);
	printf("join wakeup %.6f\n", seconds() - begin);
	return 0;
}
