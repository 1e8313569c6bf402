/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a big synthetic experiment of samples with readings of six counters, 1000 a second in each thread.
 *
 *   many_readings EXPERIMENT SAMPLES THREADS
 *
 * The code is this program's own: FUNCTIONS functions, each a loop with a branch in it, in which samples are at PLACES places,
 * called from two places of main(). A thread is in a function for 1 to 63 samples, and in one half of the functions for 100 000 of
 * its samples, then in the other. One function has four times as many cache misses as the others. Prints the sum of all
 * instructions. */
#include "overflow_counter.h"
#include "synthetic.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 32, PLACES = 4, CALLS = 2, COUNTERS = 6, THREADS_MAX = 1024, PHASE = 100000, MILLISECOND = 1000000 };
extern const char __executable_start[], etext[];

static uintptr_t places[FUNCTIONS][PLACES]; /* return addresses */
static unsigned own, place;                 /* of those that are noted now */
static volatile unsigned turns;

static __attribute__((noipa)) void here(void)
{
	places[own][place++ % PLACES] = (uintptr_t)__builtin_return_address(0);
}

#define WORK(name)                                                                                                     \
	static __attribute__((noipa)) void name(void)                                                                  \
	{                                                                                                              \
		for (unsigned turn = 0; turn < 2 * turns; turn++) {                                                    \
			here();                                                                                        \
			if (turn % 2)                                                                                  \
				here();                                                                                \
			else                                                                                           \
				here();                                                                                \
		}                                                                                                      \
	}
#define WORKS(name)                                                                                                    \
	WORK(name##0) WORK(name##1) WORK(name##2) WORK(name##3) WORK(name##4) WORK(name##5) WORK(name##6) WORK(name##7)
WORKS(read_)
WORKS(sort_)
WORKS(merge_)
WORKS(write_)
#define NAMES(name) name##0, name##1, name##2, name##3, name##4, name##5, name##6, name##7
static void (*const works[FUNCTIONS])(void) = {NAMES(read_), NAMES(sort_), NAMES(merge_), NAMES(write_)};

/* At 2 turns a loop passes its first call, one branch, its first call and the other branch. */
static void note_places(void)
{
	turns = 1;
	for (own = 0; own < FUNCTIONS; own++) {
		place = 0;
		works[own]();
	}
}

static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

static struct synthetic *begin(const char *path, char *program)
{
	static const char *const names[COUNTERS] = {
		"cycles", "insts", "l1-misses", "llc-misses", "branch-misses", "faults"};
	static struct overflow_counter counters[COUNTERS];
	struct settings settings;
	settings_default(&settings);
	for (unsigned i = 0; i < COUNTERS; i++) {
		counters[i].delivery = DELIVERY_READ;
		snprintf(counters[i].name, sizeof counters[i].name, "%s", names[i]);
		snprintf(counters[i].title, sizeof counters[i].title, "%s", names[i]);
	}
	overflow_counters_encode(counters, COUNTERS, settings.counters, sizeof settings.counters);
	struct synthetic *s = synthetic_begin_with(path, &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	synthetic_map_object(s, (uintptr_t)__executable_start, (uintptr_t)(etext - __executable_start), 0, 0, program);
	return s;
}

/* A thread's place. */
struct thread {
	unsigned function, call, left; /* samples */
};

static void go_on(struct thread *thread, uint64_t sample)
{
	if (thread->left--)
		return;
	unsigned half = sample / PHASE % 2 ? FUNCTIONS / 2 : 0;
	thread->function = half + (unsigned)random_below(FUNCTIONS / 2);
	thread->call = (unsigned)random_below(CALLS);
	thread->left = (unsigned)random_below(63);
}

static uint64_t count_all(uint64_t fields[FIELDS_MAX], unsigned function)
{
	uint64_t *value = &fields[FIELD_INDEX(READING, value0)];
	fields[FIELD_INDEX(READING, known)] = (1u << COUNTERS) - 1;
	value[0] = 3000000 + random_below(100000);
	value[1] = 2 * value[0] + random_below(1000000);
	value[2] = 10000 + random_below(3000);
	value[3] = (function == 5 ? 4000 : 1000) + random_below(500);
	value[4] = 2000 + random_below(1000);
	value[5] = random_below(50) == 0;
	return value[1];
}

static uint64_t write_samples(struct synthetic *s, uint64_t samples, unsigned threads, const uintptr_t callers[CALLS])
{
	static uint32_t stacks[FUNCTIONS][CALLS][PLACES];
	static struct thread all[THREADS_MAX];
	uint64_t sum = 0;
	for (unsigned f = 0; f < FUNCTIONS; f++)
		for (unsigned c = 0; c < CALLS; c++)
			for (unsigned p = 0; p < PLACES; p++)
				stacks[f][c][p] = synthetic_stack(
					s, (uint64_t[]){callers[c], places[f][p]}, 2, SYNTHETIC_RETURN_ADDRESS);
	for (uint64_t i = 0; i < samples; i++) {
		unsigned t = (unsigned)(i % threads);
		uint64_t fields[FIELDS_MAX] = {0};
		go_on(&all[t], i / threads);
		sum += count_all(fields, all[t].function);
		synthetic_event(s, KIND_READING, t + 1, (i / threads + 1) * MILLISECOND + t,
			stacks[all[t].function][all[t].call][random_below(PLACES)], fields);
	}
	return sum;
}

static __attribute__((noipa)) uintptr_t caller_of(void)
{
	return (uintptr_t)__builtin_return_address(0);
}

int main(int argc, char **argv)
{
	unsigned threads = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
	char program[4096];
	if (!threads || threads > THREADS_MAX || !realpath("/proc/self/exe", program)) {
		fprintf(stderr, "usage: many_readings EXPERIMENT SAMPLES THREADS (at most %d)\n", THREADS_MAX);
		return 2;
	}
	note_places();
	uintptr_t callers[CALLS];
	for (unsigned turn = 0; turn < 2; turn++) {
		callers[0] = caller_of();
		callers[1] = caller_of();
	}
	struct synthetic *s = begin(argv[1], program);
	printf("%" PRIu64 "\n", write_samples(s, strtoull(argv[2], 0, 10), threads, callers));
	synthetic_end(s);
	return 0;
}
