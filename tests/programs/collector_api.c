/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the collector by collectorAPI.h, and says what it did by its own clocks and counters: see collector-api.sh. The words of
   the command line are done in their order:

     work=SECONDS NAME  burns CPU time in first(), second() or third()    touch=PAGES    writes to fresh pages
     sleep=TIMES        sleeps of a millisecond                            sample=LABEL   a sample, and the same by getrusage
     pause, resume      of the process                                     tpause, tresume   of this thread
     terminate          the experiment                                     fork           a child does the rest, we wait for it
     jit=SECONDS NAME   announced code burns CPU time, each at the same place as the one before
     run=SECONDS        the same code once more                            unload           it is gone
     threads            one thread is paused by another                                                          */
#include "collectorAPI.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t cpu_time(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define WORKER(name)                                                                                                   \
	static __attribute__((noinline, noipa)) void name(uint64_t nanoseconds)                                        \
	{                                                                                                              \
		uint64_t start = cpu_time(CLOCK_THREAD_CPUTIME_ID), end = start;                                       \
		while (end - start < nanoseconds) {                                                                    \
			for (volatile int i = 0; i < 20000; i++)                                                       \
				;                                                                                      \
			end = cpu_time(CLOCK_THREAD_CPUTIME_ID);                                                       \
		}                                                                                                      \
		printf("%s %.6f\n", #name, (double)(end - start) / 1e9);                                               \
	}
WORKER(first)
WORKER(second)
WORKER(third)

static void work(const char *name, uint64_t nanoseconds)
{
	if (strcmp(name, "first") == 0)
		first(nanoseconds);
	else if (strcmp(name, "second") == 0)
		second(nanoseconds);
	else
		third(nanoseconds);
}

static void touch(long pages)
{
	size_t size = (size_t)pages * 4096;
	volatile char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)memory, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
}

static void sleeps(long times)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	while (times-- > 0)
		nanosleep(&millisecond, 0);
}

static void sample(const char *label)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	collector_sample(label);
	printf("sample %s minor %ld voluntary %ld maxrss %ld\n", label, used.ru_minflt, used.ru_nvcsw, used.ru_maxrss);
}

/* A function of 16 bytes, with a line for each of its two parts: counts its argument down, and returns. A prologue that the
   collector's rules for code without tables understand. */
static const unsigned char countdown[] = {
#if defined(__x86_64__)
	0x55,                               /* push %rbp */
	0x48, 0x89, 0xe5,                   /* mov %rsp,%rbp */
	0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, /* 1: dec %rdi; jne 1b; pop %rbp */
	0xc3                                /* ret */
#endif
};
enum { LOOP = 4 };
static Lineno countdown_lines[] = {{0, 10}, {LOOP, 20}, {LOOP + 5, 30}};

static unsigned char *page;

static void run(const char *name, uint64_t nanoseconds)
{
	uint64_t start = cpu_time(CLOCK_THREAD_CPUTIME_ID), end = start;
	while (end - start < nanoseconds) {
		((void (*)(uint64_t))(uintptr_t)page)(100000);
		end = cpu_time(CLOCK_THREAD_CPUTIME_ID);
	}
	printf("%s %.6f\n", name, (double)(end - start) / 1e9);
}

static void jit(const char *name, uint64_t nanoseconds, unsigned first_line)
{
	Lineno lines[3];
	for (unsigned i = 0; i < 3; i++)
		lines[i] = (Lineno){countdown_lines[i].offset, countdown_lines[i].lineno + first_line};
	if (!page)
		page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, countdown, sizeof countdown);
	collector_func_load(name, "made at run time", "/nosuch/generated.src", page, sizeof countdown, 3, lines);
	run(name, nanoseconds);
}

static int turn; /* atomic */

static void wait_turn(int wanted)
{
	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) < wanted)
		sleeps(1);
}

static void *paused_thread(void *tid)
{
	*(unsigned *)tid = (unsigned)gettid();
	__atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
	wait_turn(2);
	second(300000000);
	__atomic_store_n(&turn, 3, __ATOMIC_RELEASE);
	wait_turn(4);
	third(300000000);
	return 0;
}

/* The other thread's second() is left out, its third() is not; ours goes on. */
static void threads(void)
{
	pthread_t thread;
	unsigned tid;
	pthread_create(&thread, 0, paused_thread, &tid);
	wait_turn(1);
	collector_thread_pause(tid);
	__atomic_store_n(&turn, 2, __ATOMIC_RELEASE);
	first(200000000);
	wait_turn(3);
	collector_thread_resume(tid);
	__atomic_store_n(&turn, 4, __ATOMIC_RELEASE);
	pthread_join(thread, 0);
}

static const char *value_of(const char *word, const char *name)
{
	size_t length = strlen(name);
	return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : 0;
}

static void parent_waits(void)
{
	int status;
	fflush(stdout);
	if (fork() == 0)
		return;
	wait(&status);
	exit(status != 0);
}

static void plain_word(const char *word)
{
	if (strcmp(word, "pause") == 0)
		collector_pause();
	else if (strcmp(word, "resume") == 0)
		collector_resume();
	else if (strcmp(word, "tpause") == 0)
		collector_thread_pause(0);
	else if (strcmp(word, "tresume") == 0)
		collector_thread_resume((unsigned)gettid());
	else if (strcmp(word, "terminate") == 0)
		collector_terminate_expt();
	else if (strcmp(word, "unload") == 0)
		collector_func_unload(page);
	else if (strcmp(word, "fork") == 0)
		parent_waits();
	else if (strcmp(word, "threads") == 0)
		threads();
}

int main(int count, char **words)
{
	for (int i = 1; i < count; i++) {
		const char *value;
		if ((value = value_of(words[i], "work")) && i + 1 < count)
			work(words[++i], (uint64_t)(atof(value) * 1e9));
		else if ((value = value_of(words[i], "jit")) && i + 1 < count) {
			jit(words[i + 1], (uint64_t)(atof(value) * 1e9), (unsigned)i * 100);
			i++;
		} else if ((value = value_of(words[i], "run")))
			run("run", (uint64_t)(atof(value) * 1e9));
		else if ((value = value_of(words[i], "touch")))
			touch(atol(value));
		else if ((value = value_of(words[i], "sleep")))
			sleeps(atol(value));
		else if ((value = value_of(words[i], "sample")))
			sample(value);
		else
			plain_word(words[i]);
	}
	return 0;
}
