/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs that do something badly, and the same as advice has it; both print the same result.
   advised pages|buffer: counts words in a table that is fresh for each block of text, or used again
   advised calls|whole: writes each record of a picture by a call of its own, or all at once
   advised lock|locks [ITEMS]: four threads hold one lock while they wait for what they put in a table, or each one of its own */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	BLOCKS = 60,
	BYTES = 1 << 16,
	SLOTS = 1 << 24,
	FRAMES = 25,
	RECORDS = 8000,
	TURNS = 600,
	THREADS = 4,
	ITEMS = 400
};

static char text[BYTES];
static uint64_t result;

static uint32_t next_number(uint32_t *state)
{
	return *state = *state * 1664525 + 1013904223;
}

__attribute__((noinline)) static void make_text(uint32_t block)
{
	for (uint32_t i = 0; i < BYTES; i++)
		text[i] = "etaoin shrdlu"[(next_number(&block) >> 16) % 13];
}

__attribute__((noinline)) static void count_words(uint32_t *table)
{
	uint32_t hash = 0;
	for (uint32_t i = 0; i < BYTES; i++) {
		hash = text[i] == ' ' ? 0 : hash * 31 + (unsigned char)text[i];
		table[hash % SLOTS]++;
	}
	result += table[hash % SLOTS];
}

__attribute__((noinline)) static void clear_words(uint32_t *table)
{
	uint32_t hash = 0;
	for (uint32_t i = 0; i < BYTES; i++) {
		hash = text[i] == ' ' ? 0 : hash * 31 + (unsigned char)text[i];
		table[hash % SLOTS] = 0;
	}
}

static void count_blocks(int again)
{
	uint32_t *kept = again ? calloc(SLOTS, sizeof *kept) : 0;
	for (uint32_t block = 0; block < BLOCKS; block++) {
		uint32_t *table = again ? kept : calloc(SLOTS, sizeof *table);
		make_text(block);
		count_words(table);
		if (again)
			clear_words(table);
		else
			free(table);
	}
	free(kept);
}

static uint32_t frame[RECORDS][2];

__attribute__((noinline)) static void make_frame(uint32_t state)
{
	for (unsigned i = 0; i < RECORDS; i++)
		for (unsigned turn = 0; turn < TURNS; turn++)
			frame[i][turn % 2] += next_number(&state) >> 16;
	result += frame[0][0];
}

__attribute__((noinline)) static void store_frame(int file, size_t at_once)
{
	for (size_t i = 0; i < RECORDS; i += at_once)
		if (write(file, frame[i], at_once * sizeof frame[i]) != (ssize_t)(at_once * sizeof frame[i]))
			abort();
}

static void store_frames(int whole)
{
	int file = open("frames", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (unsigned i = 0; i < FRAMES; i++) {
		make_frame(i);
		store_frame(file, whole ? RECORDS : 1);
	}
	close(file);
	unlink("frames");
}

static pthread_mutex_t locks[THREADS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int several;
static unsigned items = 400;

/* Puts an item where it belongs: that takes half a millisecond, as a disk or another machine would. */
__attribute__((noinline)) static void put_item(unsigned part, uint64_t *sum)
{
	pthread_mutex_lock(&locks[several ? part : 0]);
	nanosleep(&(struct timespec){.tv_nsec = 500000}, 0);
	*sum += part;
	pthread_mutex_unlock(&locks[several ? part : 0]);
}

static void *put_items(void *context)
{
	uint64_t *sum = context;
	unsigned part = (unsigned)*sum;
	for (unsigned i = 0; i < items; i++)
		put_item(part, sum);
	return 0;
}

static void put_all(int parts)
{
	pthread_t threads[THREADS];
	uint64_t sums[THREADS];
	several = parts;
	for (unsigned i = 0; i < THREADS; i++) {
		sums[i] = i;
		pthread_create(&threads[i], 0, put_items, &sums[i]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], 0);
		result += sums[i];
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (argc > 2)
		items = (unsigned)atoi(argv[2]);
	if (!strcmp(what, "pages") || !strcmp(what, "buffer"))
		count_blocks(!strcmp(what, "buffer"));
	else if (!strcmp(what, "calls") || !strcmp(what, "whole"))
		store_frames(!strcmp(what, "whole"));
	else if (!strcmp(what, "lock") || !strcmp(what, "locks"))
		put_all(!strcmp(what, "locks"));
	else
		return 2;
	printf("%ju\n", (uintmax_t)result);
	return 0;
}
