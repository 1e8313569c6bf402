// SPDX-License-Identifier: Apache-2.0
// Threads that begin and end in every way: by return, pthread_exit, cancellation (in a wait, and while busy), thrd_exit; with
// the least stack, a stack of their own, an alternate signal stack, work in their destructors, a timer's notification. Prints
// "threads N", how many it made, itself included, and what its threads measured of themselves, "cpu N" in nanoseconds. With
// an argument the first thread leaves the others behind at the end, else it waits for a timer's notification.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WORK = 20000000 }; /* nanoseconds of CPU time of each */

static __thread volatile unsigned long sink;
static uint64_t measured; /* atomic */
static int threads = 1, results_wrong;
static pthread_key_t key;

static uint64_t cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void work(void)
{
	for (uint64_t start = cpu_time(); cpu_time() - start < WORK;)
		for (int i = 0; i < 10000; i++)
			sink += (unsigned)i;
}

static void at_end(void *unused)
{
	(void)unused;
	work();
	__atomic_fetch_add(&measured, cpu_time(), __ATOMIC_RELAXED);
}

static void *by_return(void *argument)
{
	pthread_setspecific(key, argument);
	work();
	return argument;
}
static void *by_exit(void *argument)
{
	pthread_setspecific(key, argument);
	work();
	pthread_exit(argument);
}
static void *by_cancel_in_wait(void *argument)
{
	pthread_setspecific(key, argument);
	work();
	for (;;)
		poll(0, 0, 1000);
	return argument;
}
static void *by_cancel_when_busy(void *argument)
{
	pthread_setspecific(key, argument);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	for (;;)
		sink++;
	return argument;
}
static int c11(void *argument)
{
	tss_set(key, argument);
	work();
	return 42;
}
static int c11_exit(void *argument)
{
	tss_set(key, argument);
	work();
	thrd_exit(43);
}

static volatile int handled;
static void on_signal(int number)
{
	(void)number;
	work();
	handled++;
}
static void *on_other_stack(void *argument)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	pthread_setspecific(key, argument);
	sigaltstack(&stack, 0);
	sigaction(SIGUSR1, &action, 0);
	raise(SIGUSR1);
	return argument;
}

static sem_t notified;
static void on_timer(union sigval value)
{
	pthread_setspecific(key, value.sival_ptr);
	work();
	sem_post(&notified);
}

static void make(void *(*f)(void *), const pthread_attr_t *attributes, int cancel, void *expected)
{
	pthread_t thread;
	void *result;
	if (pthread_create(&thread, attributes, f, &threads) != 0) {
		results_wrong++;
		return;
	}
	threads++;
	if (cancel) {
		usleep(60000);
		pthread_cancel(thread);
	}
	if (pthread_join(thread, &result) != 0 || result != expected)
		results_wrong++;
}

int main(int argc, char **argv)
{
	(void)argv;
	pthread_attr_t least, own;
	pthread_key_create(&key, at_end);
	make(by_return, 0, 0, &threads);
	make(by_exit, 0, 0, &threads);
	make(by_cancel_in_wait, 0, 1, PTHREAD_CANCELED);
	make(by_cancel_when_busy, 0, 1, PTHREAD_CANCELED);
	pthread_attr_init(&least);
	pthread_attr_setstacksize(&least, (size_t)sysconf(_SC_THREAD_STACK_MIN));
	make(by_return, &least, 0, &threads);
	pthread_attr_init(&own);
	void *stack = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_setstack(&own, stack, 65536);
	make(by_exit, &own, 0, &threads);
	make(on_other_stack, 0, 0, &threads);
	thrd_t thread;
	int result;
	threads += thrd_create(&thread, c11, &threads) == thrd_success;
	thrd_join(thread, &result);
	results_wrong += result != 42;
	threads += thrd_create(&thread, c11_exit, &threads) == thrd_success;
	thrd_join(thread, &result);
	results_wrong += result != 43;
	pthread_t none;
	pthread_attr_t impossible;
	pthread_attr_init(&impossible);
	pthread_attr_setstacksize(&impossible, SIZE_MAX / 4);
	results_wrong += pthread_create(&none, &impossible, by_return, 0) == 0;
	printf("threads %d\nwrong %d\ncpu %llu\n", threads, results_wrong, (unsigned long long)measured);
	fflush(stdout);
	if (argc > 1) {
		pthread_create(&none, 0, by_return, &threads);
		pthread_exit(0); /* the process ends with the other thread, as by exit(0) */
	}
	sem_init(&notified, 0, 0);
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer, .sigev_value.sival_ptr = &threads};
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	timer_t timer;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &once, 0);
	while (sem_wait(&notified) != 0)
		;
	usleep(60000);
	return 0;
}
