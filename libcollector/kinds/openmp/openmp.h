/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP tracing of libgomp, which offers tools nothing: we stand in front of its functions (regions.def). A region's function
   is called through us in each member of its team, so that it is known which thread works in which region. */
#ifndef OPENMP_H
#define OPENMP_H

#include <stdbool.h>
#include <stdint.h>

typedef void region_body(void *data);

/* A parallel region while its team runs: in the frame of the thread that encountered it. */
struct team {
	uintptr_t first; /* the first word of the data: GOMP_parallel_reductions() reads it */
	region_body *function;
	void *data;
	uint64_t region; /* its number in the process, from 1 */
	uint64_t era;    /* of the process: not that of a fork child */
};

/* Around a region, in the thread that encounters it; team->function is set. `frame`: of the wrapper. False: it is not recorded,
   and its function runs without us; then region_end() is not called. Both leave errno as it is. */
bool region_begin(struct team *team, unsigned threads, const void *frame);
void region_end(const struct team *team);
/* The function that each member of the team runs: the region's own, between two events. */
void region_member(void *team);

/* The functions of regions.def. */
enum region_function {
#define REGION(name, version, extra, reduces) FUNCTION_##name,
#include "regions.def"
	REGION_FUNCTIONS
};
/* The function of the run-time that the object with this code was linked to; 0: none is found. A process may have several
   run-times, each in objects that others do not see. Takes the loader's locks at the first use. */
void *runtime_function(enum region_function function, const void *code);
/* When recording begins, also in a fork child: what was known stays. */
void runtime_start(void);

#endif
