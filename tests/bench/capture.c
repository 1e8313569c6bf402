/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of taking a stack, in nanoseconds of CPU time, at depths 12, 40 and 200: in full (every frame walked, nothing of
   the last stack believed; "anew": nor are its contexts' names), and repeated (the same call site again, or two in turn). The
   ways are measured in turn, round by round, in one process; the least of the rounds counts, so that other load on the
   machine does not. Prints one line per depth. Link: the collector's objects. */
#include "capture.h"
#include "collector.h"
#include "incremental.h"
#include "thread.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define ROUNDS   31

enum way { FULL, ANEW, REPEATED, IN_TURN, WAYS };
static const char *const way_name[WAYS] = {"full", "anew", "repeated", "in turn"};
static const int repeats[WAYS] = {4000, 4000, 20000, 20000};

static __thread struct thread me;
static struct remembered full;
static char full_memory[1 << 20] __attribute__((aligned(64)));
static volatile uint32_t sink;
static double least[WAYS];
static uint32_t depth_seen;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static NOINLINE uint32_t call(void)
{
	struct captured captured = capture_call(&me, __builtin_frame_address(0));
	depth_seen = captured.depth;
	return captured.stack;
}

static NOINLINE uint32_t in_full(enum way way)
{
	const uint64_t *record = __builtin_frame_address(0);
	struct frame start = {.pc = record[1], .sp = (uint64_t)(record + 2), .fp = record[0]};
	full.top = full.bottom = 0;
	if (way == ANEW)
		full.named = 0;
	struct captured captured =
		incremental_walk(&full, (struct stack_bounds){me.stack_low, me.stack_high}, &start, 0, 65536);
	return captured.stack;
}

static NOINLINE uint32_t other_site(void)
{
	return call() + 1;
}

static NOINLINE void measure(enum way way)
{
	double start = now(), each;
	for (int i = 0; i < repeats[way]; i++) {
		if (way == FULL || way == ANEW)
			sink = in_full(way);
		else if (way == REPEATED)
			sink = call();
		else
			sink = i & 1 ? call() : other_site();
	}
	each = (now() - start) / repeats[way];
	if (each < least[way])
		least[way] = each;
}

static NOINLINE int descend(int n, enum way way)
{
	volatile char pad[32 + 16];
	pad[0] = (char)n;
	if (n > 1)
		descend(n - 1, way);
	else
		measure(way);
	return pad[0];
}

static void find_bounds(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	me.stack_low = (uintptr_t)low;
	me.stack_high = (uintptr_t)low + size;
}

static void no_time(struct time_triple *triple)
{
	memset(triple, 0, sizeof *triple);
}

static bool begin(const char *path)
{
	static struct experiment_directory directory;
	static struct event_file stacks;
	static char text[4096];
	int code;
	size_t size = stacks_describe(text, sizeof text);
	remembered_place(&full, full_memory, sizeof full_memory);
	find_bounds();
	return experiment_directory_open(&directory, path, &code) &&
	       event_file_create(&stacks, &directory, "stacks", text, (uint32_t)size, no_time, &code) &&
	       capture_start(&stacks, 65536) && capture_thread_begin(&me);
}

int main(void)
{
	static const int depths[] = {12, 40, 200};
	char path[] = "/tmp/bench_capture_XXXXXX", command[64];
	if (!mkdtemp(path) || !begin(path)) {
		fprintf(stderr, "capture: cannot start in %s\n", path);
		return 1;
	}
	for (unsigned d = 0; d < sizeof depths / sizeof depths[0]; d++) {
		for (int way = 0; way < WAYS; way++)
			least[way] = 1e9;
		/* main, what libc has below it, measure and the function that asks are frames too */
		for (int round = 0; round < ROUNDS; round++)
			for (int way = 0; way < WAYS; way++)
				descend(depths[d] - 5, way);
		printf("capture depth %u:", depth_seen);
		for (int way = 0; way < WAYS; way++)
			printf(" %s %.1f ns%s", way_name[way], least[way], way + 1 < WAYS ? "," : "\n");
	}
	snprintf(command, sizeof command, "rm -rf %s", path);
	return system(command) != 0;
}
