/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP tracing: how long threads wait inside of parallel regions, by construct and place. A wait of some length has an event of
   its own; shorter ones of a member at one place are added up, and written now and then. */
#ifndef WAIT_H
#define WAIT_H

#include "blocking_call.h"
#include "kinds.h"
#include "openmp.h"
#include <stdbool.h>
#include <stdint.h>

enum omp_construct {
	WAIT_IMPLICIT_BARRIER = STATE_VALUE(OPENMP, construct, implicit_barrier),
	WAIT_EXPLICIT_BARRIER = STATE_VALUE(OPENMP, construct, explicit_barrier),
	WAIT_REDUCTION = STATE_VALUE(OPENMP, construct, reduction),
	WAIT_CRITICAL = STATE_VALUE(OPENMP, construct, critical),
	WAIT_LOCK = STATE_VALUE(OPENMP, construct, lock),
	WAIT_ORDERED = STATE_VALUE(OPENMP, construct, ordered),
	WAIT_ATOMIC = STATE_VALUE(OPENMP, construct, atomic),
	WAIT_TASKWAIT = STATE_VALUE(OPENMP, construct, taskwait),
	WAIT_TASKGROUP = STATE_VALUE(OPENMP, construct, taskgroup),
	WAIT_DOACROSS = STATE_VALUE(OPENMP, construct, doacross),
	WAIT_INTERNAL_BARRIER = STATE_VALUE(OPENMP, construct, internal_barrier),
	WAIT_SINGLE = STATE_VALUE(OPENMP, construct, single),
};

/* One that a thread is in. Between its begin and end the thread may run tasks, which have waits of their own; another wait is part
   of it. */
struct omp_wait {
	enum omp_construct construct;
	uint64_t call;         /* the code after the one that waits, */
	uint64_t body;         /* or the function that does, as in struct region_place */
	uint64_t begun, inner; /* raw time: since when, and for how long tasks ran meanwhile */
	uint64_t key;          /* ompt_waits.c's */
	struct blocking_call blocking;
};
/* The thread is in that wait from now on; 0: in none. */
void wait_set(struct thread *thread, struct omp_wait *wait);
/* The place is that of the call: the code after it, and the frame of its wrapper if that stays until the end, else 0. False: it is
   not recorded, as none is outside of regions; then wait_end() is not called. `wait` stays until then. */
bool wait_begin(struct omp_wait *wait, enum omp_construct construct, const struct region_place *place);
/* The place is that of the call: its frame and the code after it. Leaves errno as it is. Nothing happens if the thread is not in
   that wait any more. */
void wait_end(struct omp_wait *wait, const struct region_place *place);

/* In a thread that is known: memory for waits whose begin and end are told by two calls; those of a thread nest. The outermost is
   at 0. 0: there is no memory for it. */
struct omp_wait *wait_told(unsigned depth);

/* Those that are added up in the calling thread, under its guard, at a raw time. */
void waits_write(uint64_t time);
/* The thread ends. */
void waits_end(struct thread *thread);

#endif
