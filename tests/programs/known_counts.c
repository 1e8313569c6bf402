/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose instructions are known by construction: known_counts phases|alternate|threads MILLIONS, or rounds ROUNDS.
   Prints "FUNCTION INSTRUCTIONS" of what each executed, in loops of assembly; what is around the loops is less than a thousandth.
   phases: three functions one after the other, of 1, 2 and 3 times MILLIONS; alternate: two take turns of random length, MILLIONS
   in all; threads: one function in each of two threads, MILLIONS and twice that; rounds: in each phase_one and phase_two have 6
   and 3 million, and touch_pages 6 million with a page touched for the first time every 60 thousand; in the middle one phase_two
   has 24 million more. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

/* Executes 10 instructions a turn. */
#if defined(__aarch64__)
#define TURNS(n)                                                                                                       \
	__asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop; subs %0, %0, #1; b.ne 1b" : "+r"(n) : : "cc")
#else
#define TURNS(n) __asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop; dec %0; jnz 1b" : "+r"(n) : : "cc")
#endif
#define PER_TURN    10ul
#define PER_MILLION (1000000 / PER_TURN)

NOINLINE void phase_one(unsigned long turns)
{
	TURNS(turns);
}
NOINLINE void phase_two(unsigned long turns)
{
	TURNS(turns);
}
NOINLINE void phase_three(unsigned long turns)
{
	TURNS(turns);
}

static void report(const char *function, unsigned long turns)
{
	printf("%s %lu\n", function, turns * PER_TURN);
}

static void phases(unsigned long turns)
{
	phase_one(turns);
	phase_two(2 * turns);
	phase_three(3 * turns);
	report("phase_one", turns);
	report("phase_two", 2 * turns);
	report("phase_three", 3 * turns);
}

/* Turns of a thousand to 64 thousand, phase_two's twice as long. */
static void alternate(unsigned long turns)
{
	unsigned long random = 1, one = 0, two = 0;
	while (one + two < turns) {
		random = random * 6364136223846793005ul + 1442695040888963407ul;
		unsigned long length = 100 + (random >> 33) % 6400;
		phase_one(length);
		one += length;
		random = random * 6364136223846793005ul + 1442695040888963407ul;
		length = 2 * (100 + (random >> 33) % 6400);
		phase_two(length);
		two += length;
	}
	report("phase_one", one);
	report("phase_two", two);
}

static void *in_thread(void *turns)
{
	phase_two(*(unsigned long *)turns);
	return 0;
}
static void threads(unsigned long turns)
{
	unsigned long twice = 2 * turns;
	pthread_t thread;
	if (pthread_create(&thread, 0, in_thread, &twice))
		abort();
	phase_one(turns);
	pthread_join(thread, 0);
	report("phase_one", turns);
	report("phase_two", twice);
}

enum { PAGES = 100, TURNS_A_PAGE = 6000 };

NOINLINE void touch_pages(volatile char *page, unsigned long size)
{
	for (unsigned i = 0; i < PAGES; i++) {
		unsigned long turns = TURNS_A_PAGE;
		page[i * size] = 1;
		TURNS(turns);
	}
}

static void rounds(unsigned long count)
{
	unsigned long size = (unsigned long)sysconf(_SC_PAGESIZE), one = 0, two = 0;
	for (unsigned long round = 0; round < count; round++) {
		unsigned long more = round == count / 2 ? 24 : 0;
		char *pages = mmap(0, PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || madvise(pages, PAGES * size, MADV_NOHUGEPAGE))
			abort();
		phase_one(6 * PER_MILLION);
		phase_two((3 + more) * PER_MILLION);
		touch_pages(pages, size);
		munmap(pages, PAGES * size);
		one += 6 * PER_MILLION;
		two += (3 + more) * PER_MILLION;
	}
	report("phase_one", one);
	report("phase_two", two);
	report("touch_pages", count * PAGES * TURNS_A_PAGE);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned long turns = argc > 2 ? strtoul(argv[2], 0, 0) * PER_MILLION : 0;
	if (turns && strcmp(mode, "phases") == 0)
		return phases(turns), 0;
	if (turns && strcmp(mode, "alternate") == 0)
		return alternate(turns), 0;
	if (turns && strcmp(mode, "threads") == 0)
		return threads(turns), 0;
	if (turns && strcmp(mode, "rounds") == 0)
		return rounds(turns / PER_MILLION), 0;
	fprintf(stderr, "usage: known_counts phases|alternate|threads MILLIONS, or rounds ROUNDS\n");
	return 2;
}
