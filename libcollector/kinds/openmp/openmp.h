/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP tracing: the events of parallel regions and of the members of their teams. Who tells of them depends on the run-time:
   libgomp.c stands in front of libgomp's functions, ompt.c is called by run-times that have the interface of OpenMP 5.0 for
   tools. */
#ifndef OPENMP_H
#define OPENMP_H

#include <stdbool.h>
#include <stdint.h>

/* A parallel region that runs. */
struct region {
	uint64_t number, parent; /* in the process, from 1; of the region around it, 0: none */
	uint64_t era;            /* of the process: not that of a fork child */
};

/* Where a region begins. Its stack is that of the interposed function or callback with this frame address; and its leaf */
struct region_place {
	const void *frame;
	const void *function; /* is this function of the region: it has its line, which the call may not have */
	const void *
		call; /* or the code after this call, to the run-time, whose own frames are left out; 0: it has `function` */
};

/* Around a region, in the thread that encounters it. False: it is not recorded; then the others are not called. All leave errno
   as it is. */
bool region_begin(struct region *region, unsigned requested, const struct region_place *place);
void region_end(const struct region *region);
/* Around the work of a member of its team, in that thread. False: it is not recorded; then member_end() is not called. */
bool member_begin(const struct region *region);
void member_end(const struct region *region);
/* Says which region the calling thread works in from now on, unless it is in another process now than the region; 0: in none. */
void region_enter(const struct region *region, uint64_t number);

/* When recording begins, also in a fork child: what was known stays (libgomp_search.c). */
void libgomp_start(void);

#endif
