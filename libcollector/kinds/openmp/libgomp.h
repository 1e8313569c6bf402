/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libgomp that we stand in front of (libgomp.def), finding those behind ours, and running a region's function
   through us. */
#ifndef LIBGOMP_H
#define LIBGOMP_H

#include "openmp.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

enum libgomp_function {
#define REGION(name, version, extra, reduces) LIBGOMP_##name,
#define START(name, version, extra)           LIBGOMP_##name,
#define END(name, version)                    LIBGOMP_##name,
#define TASK(name, version)                   LIBGOMP_##name,
#define WAIT(name, version, construct)        LIBGOMP_##name,
#define DOACROSS_WAIT(name, version)          LIBGOMP_##name,
#include "libgomp.def"
	LIBGOMP_FUNCTIONS
};
/* The function of the run-time that the object with this code was linked to; 0: none is found. A process may have several
   run-times, each in objects that others do not see. Takes the loader's locks at the first use. */
void *libgomp_real(enum libgomp_function function, const void *code);

typedef void region_body(void *data);

/* A region while its team runs, and the data of libgomp_member(). */
struct team {
	uintptr_t first; /* the first word of the data: GOMP_parallel_reductions() reads it */
	region_body *function;
	void *data;
	struct region region;
};
/* Begins the region, in the thread that encounters it. `frame`: of the wrapper. False: it is not recorded. */
bool team_begin(struct team *team, unsigned requested, const void *frame);
/* Each member of the team runs this in place of the region's function. */
void libgomp_member(void *team);

/* Calls the function of a region or task, which the thread's joined stacks stand on if `known`. */
static inline void libgomp_run(region_body *function, void *data, bool known)
{
	struct thread *thread = current_thread;
	const void *outer = thread ? thread->body : 0;
	if (thread)
		thread->body = known ? (const void *)function : 0;
	function(data);
	if (thread && thread == current_thread)
		thread->body = outer;
}

/* The words that follow the first arguments: as parameters and as arguments, with a comma before them. */
#define LIBGOMP_WORDS_0
#define LIBGOMP_WORDS_1 , long a
#define LIBGOMP_WORDS_2 , long a, long b
#define LIBGOMP_WORDS_3 , long a, long b, long c
#define LIBGOMP_WORDS_4 , long a, long b, long c, long d
#define LIBGOMP_WORDS_5 , long a, long b, long c, long d, long e
#define LIBGOMP_VALUES_0
#define LIBGOMP_VALUES_1 , a
#define LIBGOMP_VALUES_2 , a, b
#define LIBGOMP_VALUES_3 , a, b, c
#define LIBGOMP_VALUES_4 , a, b, c, d
#define LIBGOMP_VALUES_5 , a, b, c, d, e

#endif
