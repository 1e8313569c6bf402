/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose functions each wait for one kind of thing, for a time that it measures itself. It prints a line for each:
   function, state, seconds. Two threads share a CPU at last: their wait is what they do not get of it. */
#include "bare_calls.h"
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 60000 }; /* microseconds */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int pipe_ends[2], socket_ends[2], word, signalled;

static double seconds(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void need(int success)
{
	if (!success)
		abort();
}

#define WAITS(name, state, ...)                                                                                        \
	__attribute__((noinline)) static void name(void)                                                               \
	{                                                                                                              \
		char byte;                                                                                             \
		double begin = seconds(CLOCK_MONOTONIC);                                                               \
		(void)byte;                                                                                            \
		__VA_ARGS__;                                                                                           \
		printf("%s %s %.6f\n", #name, #state, seconds(CLOCK_MONOTONIC) - begin);                               \
	}
/* clang-format off */
WAITS(wait_mutex, lock, pthread_mutex_lock(&mutex))
WAITS(wait_condition, lock, while (!signalled) pthread_cond_wait(&condition, &mutex))
WAITS(wait_barrier, lock, pthread_barrier_wait(&barrier))
WAITS(wait_futex, lock, while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE)) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0))
WAITS(wait_pipe, filewait, need(read(pipe_ends[0], &byte, 1) == 1))
WAITS(wait_socket, netwait, need(read(socket_ends[0], &byte, 1) == 1))
WAITS(wait_stream, filewait, FILE *stream = fdopen(pipe_ends[0], "r"); need(fgetc(stream) == 'x'))
WAITS(wait_time, sleep, usleep(STEP))
WAITS(wait_poll, pollwait, struct pollfd fd = {.fd = socket_ends[0], .events = POLLIN}; need(poll(&fd, 1, STEP / 1000) == 0))
WAITS(wait_child, childwait, pid_t child = fork(); if (!child) { usleep(STEP); _exit(0); } need(waitpid(child, 0, 0) == child))
/* clang-format on */

/* Ends each wait of the first thread one step after the one before. */
static void *end_waits(void *unused)
{
	usleep(2 * STEP);
	pthread_mutex_unlock(&mutex);
	usleep(STEP);
	pthread_mutex_lock(&mutex);
	signalled = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	usleep(STEP);
	pthread_barrier_wait(&barrier);
	usleep(STEP);
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
	usleep(STEP);
	need(write(pipe_ends[1], "x", 1) == 1);
	usleep(STEP);
	need(write(socket_ends[1], "x", 1) == 1);
	usleep(STEP);
	need(write(pipe_ends[1], "x", 1) == 1);
	return unused;
}

static void *begin_waits(void *unused)
{
	pthread_mutex_lock(&mutex);
	return end_waits(unused);
}

__attribute__((noinline)) static void share_cpu(void)
{
	double end = seconds(CLOCK_MONOTONIC) + 0.3;
	while (seconds(CLOCK_MONOTONIC) < end)
		;
}

/* How long it gives the CPU away. The CPU clock is read elsewhere: its call, too, may give the CPU away. */
__attribute__((noinline)) static double yield_cpu(void)
{
	double begin = seconds(CLOCK_MONOTONIC);
	sched_yield();
	return seconds(CLOCK_MONOTONIC) - begin;
}

/* Clock ticks find the thread here, and not where it gives the CPU away, as all its time is in user mode. */
__attribute__((noinline)) static double yield_and_compute(void)
{
	double yielded = 0;
	for (int i = 0; i < 150; i++) {
		yielded += yield_cpu();
		for (volatile int left = 500000; left; left--)
			;
	}
	return yielded;
}

static void stay_on_one_cpu(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	need(sched_setaffinity(0, sizeof one, &one) == 0);
	pthread_barrier_wait(&barrier);
}

static void *share(void *waited)
{
	stay_on_one_cpu();
	double used = seconds(CLOCK_THREAD_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);
	share_cpu();
	double taken = seconds(CLOCK_MONOTONIC) - begin;
	*(double *)waited = taken - (seconds(CLOCK_THREAD_CPUTIME_ID) - used);
	return waited;
}

static void on_signal(int number)
{
	(void)number;
	double end = seconds(CLOCK_MONOTONIC) + 0.2;
	while (seconds(CLOCK_MONOTONIC) < end)
		;
}

/* The handler runs on another stack, and waits for the CPU there. From a wait that no function tells of on, the kernel is asked for
   the stack at each wait. */
__attribute__((noinline)) static double share_in_handler(void)
{
	double begin = seconds(CLOCK_MONOTONIC);
	raise(SIGUSR1);
	return seconds(CLOCK_MONOTONIC) - begin;
}

static void *interrupt(void *waited)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	need(sigaltstack(&stack, 0) == 0 && sigaction(SIGUSR1, &action, 0) == 0);
	bare_nanosleep(5000000);
	stay_on_one_cpu();
	double used = seconds(CLOCK_THREAD_CPUTIME_ID), taken = share_in_handler();
	*(double *)waited = taken - (seconds(CLOCK_THREAD_CPUTIME_ID) - used);
	stack.ss_flags = SS_DISABLE;
	need(sigaltstack(&stack, 0) == 0);
	free(stack.ss_sp);
	return waited;
}

static void *yield_in_turn(void *waited)
{
	stay_on_one_cpu();
	*(double *)waited = yield_and_compute();
	return waited;
}

/* A thread that others go before: it is late after each sleep, or after some, so that there are as many as it takes. Others may go
   before it between two sleeps, too, so all the time is late that it neither slept nor used the CPU. */
__attribute__((noinline)) static double late_after_sleep(void)
{
	double begin = seconds(CLOCK_MONOTONIC), late = 0;
	prctl(PR_SET_TIMERSLACK, 1);
	for (int i = 1; i <= 40 || (i <= 400 && late < .04); i++) {
		usleep(5000);
		late = seconds(CLOCK_MONOTONIC) - begin - i * .005;
	}
	return late;
}

static void *sleep_beside(void *late)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	need(sched_setaffinity(0, sizeof one, &one) == 0 &&
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19) == 0);
	double used = seconds(CLOCK_THREAD_CPUTIME_ID), all = late_after_sleep();
	*(double *)late = all - (seconds(CLOCK_THREAD_CPUTIME_ID) - used);
	__atomic_store_n(&word, 2, __ATOMIC_RELEASE);
	return late;
}

static void *go_before(void *unused)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	need(sched_setaffinity(0, sizeof one, &one) == 0);
	while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != 2)
		;
	return unused;
}

static void run_one_before_another(void)
{
	pthread_t first, late;
	double time = 0;
	need(pthread_create(&first, 0, go_before, 0) == 0 && pthread_create(&late, 0, sleep_beside, &time) == 0);
	pthread_join(late, 0);
	pthread_join(first, 0);
	printf("late_after_sleep wait %.6f\n", time);
}

static double run_two_on_one_cpu(void *run(void *))
{
	pthread_t threads[2];
	double waited[2];
	for (int i = 0; i < 2; i++)
		need(pthread_create(&threads[i], 0, run, &waited[i]) == 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return waited[0] + waited[1];
}

static pthread_mutex_t idle_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static double idle_since;

/* Still waits when the process ends. */
static void *wait_at_end(void *unused)
{
	pthread_mutex_lock(&idle_mutex);
	idle_since = seconds(CLOCK_MONOTONIC);
	for (;;)
		pthread_cond_wait(&never, &idle_mutex);
	return unused;
}

int main(void)
{
	pthread_t other, idle;
	double begin = seconds(CLOCK_MONOTONIC);
	need(pthread_create(&idle, 0, wait_at_end, 0) == 0);
	pthread_barrier_init(&barrier, 0, 2);
	need(pipe(pipe_ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, socket_ends) == 0);
	need(pthread_create(&other, 0, begin_waits, 0) == 0);
	usleep(STEP);
	wait_mutex();
	wait_condition();
	pthread_mutex_unlock(&mutex);
	wait_barrier();
	wait_futex();
	wait_pipe();
	wait_socket();
	wait_stream();
	pthread_join(other, 0);
	wait_time();
	wait_poll();
	wait_child();
	printf("share_cpu wait %.6f\n", run_two_on_one_cpu(share));
	printf("share_in_handler wait %.6f\n", run_two_on_one_cpu(interrupt));
	printf("yield_cpu wait %.6f\n", run_two_on_one_cpu(yield_in_turn));
	run_one_before_another();
	printf("wait_at_end lock %.6f\n", seconds(CLOCK_MONOTONIC) - idle_since);
	double whole = seconds(CLOCK_MONOTONIC) - begin;
	printf("main masterthread %.6f\n<Total> latency %.6f\n", whole, whole);
	return 0;
}
