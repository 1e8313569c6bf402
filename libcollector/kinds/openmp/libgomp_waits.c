/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of libgomp.def that may wait. Source: libgomp's barrier.c, critical.c, loop.c, ordered.c,
   sections.c, single.c, task.c. */
#include "interpose.h"
#include "libgomp.h"
#include "own_code.h"
#include "thread.h"
#include "wait.h"
#include <stdarg.h>

/* Whatever they take and give fits a register. */
typedef long waiting(long);

/* A function of a region or task may end with a call that waits, by a jump: it returns to us, who called the function. */
static inline struct region_place place_of(const void *frame, const void *call)
{
	struct region_place place = {.frame = frame, .call = call};
	if ((uintptr_t)call - own_code_start < own_code_size && current_thread)
		place.body = current_thread->body;
	return place;
}

/* A function of its own: where nothing is recorded the real one is jumped to, with no frame of ours below it, as tasks that run
   while it waits may wait, too, as deep as the stack is. */
static __attribute__((noinline)) long timed(waiting *real, long argument, enum omp_construct construct)
{
	struct region_place place = place_of(__builtin_frame_address(0), __builtin_return_address(0));
	struct omp_wait wait;
	bool recorded = wait_begin(&wait, construct, &place);
	long result = real(argument);
	if (recorded)
		wait_end(&wait, &place);
	return result;
}

/* Without a run-time the thread is alone. */
static long none(long argument)
{
	(void)argument;
	return 0;
}

static inline waiting *real_of(enum libgomp_function function, const void *code)
{
	waiting *real = (waiting *)libgomp_real(function, code);
	return real ? real : none;
}

static inline bool is_wanted(void)
{
	return current_thread && current_thread->region && !current_thread->wait;
}

#define WAIT(name, version, construct)                                                                                 \
	INTERPOSE long name##_of_libgomp(long argument);                                                               \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);                                                   \
	long name##_of_libgomp(long argument)                                                                          \
	{                                                                                                              \
		waiting *real = real_of(LIBGOMP_##name, __builtin_return_address(0));                                  \
		if (!is_wanted())                                                                                      \
			return real(argument);                                                                         \
		return timed(real, argument, WAIT_##construct);                                                        \
	}

/* A function that takes a word for each loop of a nest, which is not told how many those are. No nest has as many as are handed on;
   the words after them are of the callers, whose frames have more. */
enum { LOOPS = 16 };
typedef void doacross(long, ...);

static void wait_for_iteration(doacross *real, const long loop[LOOPS], const struct region_place *place)
{
	struct omp_wait wait;
	bool recorded = wait_begin(&wait, WAIT_DOACROSS, place);
	real(loop[0], loop[1], loop[2], loop[3], loop[4], loop[5], loop[6], loop[7], loop[8], loop[9], loop[10],
		loop[11], loop[12], loop[13], loop[14], loop[15]);
	if (recorded)
		wait_end(&wait, place);
}

#define DOACROSS_WAIT(name, version)                                                                                   \
	INTERPOSE void name##_of_libgomp(long first, ...);                                                             \
	__asm__(".symver " #name "_of_libgomp, " #name "@" version);                                                   \
	void name##_of_libgomp(long first, ...)                                                                        \
	{                                                                                                              \
		struct region_place place = place_of(__builtin_frame_address(0), __builtin_return_address(0));         \
		doacross *real = (doacross *)libgomp_real(LIBGOMP_##name, place.call);                                 \
		long loop[LOOPS] = {first};                                                                            \
		va_list rest;                                                                                          \
		va_start(rest, first);                                                                                 \
		for (int i = 1; i < LOOPS; i++)                                                                        \
			loop[i] = va_arg(rest, long);                                                                  \
		va_end(rest);                                                                                          \
		if (real)                                                                                              \
			wait_for_iteration(real, loop, &place);                                                        \
	}
#include "libgomp.def"
