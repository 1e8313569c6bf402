/* SPDX-License-Identifier: Apache-2.0 */
/* The first thread wakes the second, which wakes the third, by futexes of the program's own: system calls without libc, as libgomp
   and Go make them. The program prints who ended how long a wait, by the clock of the thread that waited: function, metric,
   seconds. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, STEP = 40000 }; /* microseconds */

static int word[3];
static double waited[3], waited_later[3];

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void burn(double length)
{
	for (double begin = seconds(); seconds() - begin < length;)
		;
}

static inline __attribute__((always_inline)) long futex(int *address, int operation, int value)
{
#ifdef __x86_64__
	register long timeout __asm__("r10") = 0;
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(SYS_futex), "D"(address), "S"(operation), "d"(value), "r"(timeout)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long number __asm__("x8") = SYS_futex, first __asm__("x0") = (long)address,
			     second __asm__("x1") = operation, third __asm__("x2") = value, fourth __asm__("x3") = 0;
	__asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third), "r"(fourth) : "memory");
	return first;
#endif
}

__attribute__((noinline)) static void wait_word(int n, int round)
{
	double begin = seconds();
	int seen;
	while ((seen = __atomic_load_n(&word[n], __ATOMIC_ACQUIRE)) < round)
		futex(&word[n], FUTEX_WAIT_PRIVATE, seen);
	double length = seconds() - begin;
	/* By the first wait of all the collector learns that there are such waits; that of the third thread is not over then. */
	if (n == 2 || round > 1)
		waited[n] += length;
	if (round > 1)
		waited_later[n] += length;
}

#define WAKER(name, n)                                                                                                 \
	__attribute__((noinline)) static void name(int round)                                                          \
	{                                                                                                              \
		__atomic_store_n(&word[n], round, __ATOMIC_RELEASE);                                                   \
		futex(&word[n], FUTEX_WAKE_PRIVATE, 1);                                                                \
		__asm__ volatile("");                                                                                  \
	}
WAKER(first_wakes, 1)
WAKER(second_wakes, 2)

/* Each round begins with time on the CPU: a clock tick lets the collector look. */
static void *run(void *argument)
{
	int n = *(int *)argument;
	for (int round = 1; round <= ROUNDS; round++) {
		burn(.03);
		if (n == 0) {
			usleep(3 * STEP);
			first_wakes(round);
		} else {
			wait_word(n, round);
		}
		if (n == 1) {
			usleep(STEP);
			second_wakes(round);
		}
	}
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	int numbers[] = {0, 1, 2};
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], 0, run, &numbers[i]) != 0)
			abort();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	printf("first_wakes wakeup %.6f\nsecond_wakes wakeup %.6f\n", waited[1], waited[2]);
	printf("wait_word unknownwait %.6f\n", waited_later[1] + waited_later[2]);
	return 0;
}
