/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of threads in OpenMP. */
#ifndef OMP_STATE_H
#define OMP_STATE_H

#include "data.h"

/* The numbers are those of Sun's tools, by which filters know them. */
enum omp_state {
	OMP_NONE = 0, /* the thread has never been in a region */
	OMP_OVERHEAD, /* a team begins */
	OMP_WORK,
	OMP_IMPLICIT_BARRIER,
	OMP_EXPLICIT_BARRIER,
	OMP_IDLE,   /* a worker is in no region */
	OMP_SERIAL, /* who begins regions is in none */
	OMP_REDUCTION,
	OMP_LOCK,
	OMP_CRITICAL,
	OMP_ORDERED,
	OMP_ATOMIC,
	OMP_TASKWAIT,
	OMP_STATES
};
/* Whether it is a wait for others. */
static inline bool omp_state_is_wait(enum omp_state state)
{
	return state == OMP_IMPLICIT_BARRIER || state == OMP_EXPLICIT_BARRIER || state == OMP_IDLE ||
	       state >= OMP_REDUCTION;
}

/* That of a thread that waits at a construct (kinds.def: OPENMP, construct). */
enum omp_state omp_state_at(uint64_t construct);

/* That of the thread whose stack it is, if the stack says that it waited; else OMP_NONE. */
enum omp_state omp_state_of_stack(const struct data *data, uint32_t stack);

#endif
