/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the manual's figure 2-1 (main calls A and B, both call C, C calls E and F, F calls G), which measures
   with its own CPU clock what each function spent by itself, what each call took, and what came before main: lines
   "exclusive FUNCTION NANOSECONDS", "attributed CALLER CALLEE NANOSECONDS", "before NANOSECONDS". One argument: the
   loops of a unit of work, of which there are 32. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum who { MAIN, A_, B_, C_, E_, F_, G_, COUNT };
static const char *const names[COUNT] = {"main", "A", "B", "C", "E", "F", "G"};
static uint64_t exclusive[COUNT], attributed[COUNT][COUNT];
static volatile unsigned long sink;
static double unit;

static uint64_t cpu(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A macro: an inlined function would be a function of its own in the reports. */
#define WORK(who, units)                                                                                               \
	do {                                                                                                           \
		uint64_t start_ = cpu();                                                                               \
		for (unsigned long left = (unsigned long)((units)*unit); left; left--)                                 \
			sink += left;                                                                                  \
		exclusive[who] += cpu() - start_;                                                                      \
	} while (0)

#define CALL(caller, callee, call)                                                                                     \
	do {                                                                                                           \
		uint64_t start_ = cpu();                                                                               \
		call;                                                                                                  \
		attributed[caller][callee] += cpu() - start_;                                                          \
	} while (0)

__attribute__((noinline)) void G(double units);
__attribute__((noinline)) void E(double units);
__attribute__((noinline)) void F(double units);
__attribute__((noinline)) void C(double units);
__attribute__((noinline)) void A(void);
__attribute__((noinline)) void B(void);

void G(double units)
{
	WORK(G_, units);
}

void E(double units)
{
	WORK(E_, units);
}

void F(double units)
{
	WORK(F_, units / 2);
	CALL(F_, G_, G(units / 2));
}

void C(double units)
{
	WORK(C_, units * .2);
	CALL(C_, E_, E(units * .4));
	CALL(C_, F_, F(units * .4));
}

void A(void)
{
	CALL(A_, C_, C(10));
}

void B(void)
{
	CALL(B_, C_, C(7.5));
	WORK(B_, 5);
	CALL(B_, C_, C(7.5));
}

int main(int argc, char **argv)
{
	uint64_t before = cpu();
	unit = argc > 1 ? atof(argv[1]) : 2e7;
	CALL(MAIN, A_, A());
	WORK(MAIN, 2);
	CALL(MAIN, B_, B());
	for (int who = 0; who < COUNT; who++)
		printf("exclusive %s %" PRIu64 "\n", names[who], exclusive[who]);
	for (int caller = 0; caller < COUNT; caller++)
		for (int callee = 0; callee < COUNT; callee++)
			if (attributed[caller][callee])
				printf("attributed %s %s %" PRIu64 "\n", names[caller], names[callee],
					attributed[caller][callee]);
	printf("before %" PRIu64 "\n", before);
	return 0;
}
