/* SPDX-License-Identifier: Apache-2.0 */
/* Waits in several ways, each in a function of its own, and prints "FUNCTION SWITCHES FAILED TAKEN": how often the kernel says
   that the thread was switched in the meantime, how many of the waits were cut short, and how many of the switches were no
   waits: the processor was taken away. A sample of the experiment ends after each. The argument is how often each waits. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 120, FRAME = 512 }; /* more than the kernel copies of a stack */

static const struct timespec short_time = {0, 200000};
static int count;

static struct rusage own_use(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return usage;
}

static __attribute__((noinline)) int sleep_often(void)
{
	int failed = 0;
	for (int i = 0; i < count; i++)
		failed += nanosleep(&short_time, 0) != 0;
	return failed;
}

static __attribute__((noinline)) int sleep_deep(int depth)
{
	volatile char frame[FRAME];
	frame[0] = 0;
	if (!depth)
		return sleep_often();
	return sleep_deep(depth - 1) + frame[0];
}

static __attribute__((noinline)) int deep(void)
{
	return sleep_deep(DEPTH) + (errno = 0);
}

static __attribute__((noinline)) int polls(void)
{
	int failed = 0;
	for (int i = 0; i < count; i++)
		failed += poll(0, 0, 1) != 0;
	return failed;
}

/* As run-times do it that have locks of their own. */
static __attribute__((noinline)) int futexes(void)
{
	int failed = 0, word = 0;
	for (int i = 0; i < count; i++)
		failed +=
			syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &short_time, 0, 0) != -1 || errno != ETIMEDOUT;
	return failed;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static __attribute__((noinline)) int take_turns(int mine)
{
	for (int i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != mine)
			pthread_cond_wait(&changed, &mutex);
		turn = !mine;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return 0;
}

static int to_other[2], from_other[2];

static __attribute__((noinline)) int pipes(void)
{
	int failed = 0;
	for (int i = 0; i < count; i++) {
		char byte = 1;
		failed += write(to_other[1], &byte, 1) != 1;
		failed += read(from_other[0], &byte, 1) != 1;
	}
	return failed;
}

static __attribute__((noinline)) void other_turns(void)
{
	take_turns(1);
}

static void *other(void *unused)
{
	char byte;
	other_turns();
	for (int i = 0; i < count && read(to_other[0], &byte, 1) == 1; i++)
		if (write(from_other[1], &byte, 1) != 1)
			abort();
	return unused;
}

static __attribute__((noinline)) int turns(void)
{
	return take_turns(0) + (errno = 0);
}

static void phase(const char *name, int (*waits)(void))
{
	struct rusage before = own_use();
	int failed = waits();
	struct rusage after = own_use();
	long taken = after.ru_nivcsw - before.ru_nivcsw, switches = after.ru_nvcsw - before.ru_nvcsw + taken;
	printf("%s %ld %d %ld\n", name, switches, failed, taken);
	void (*sample)(const char *);
	*(void **)&sample = dlsym(RTLD_DEFAULT, "collector_sample");
	if (sample)
		sample(name);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	count = argc > 1 ? atoi(argv[1]) : 100;
	phase("sleep_often", sleep_often);
	phase("deep", deep);
	phase("polls", polls);
	phase("futexes", futexes);
	if (pipe(to_other) || pipe(from_other) || pthread_create(&thread, 0, other, 0))
		return 1;
	phase("turns", turns);
	phase("pipes", pipes);
	pthread_join(thread, 0);
	return 0;
}
