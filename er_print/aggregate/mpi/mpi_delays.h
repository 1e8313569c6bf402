/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delay costs say who makes others wait, and where. A process waits for another because that one did more since both were at a
   common point last (mpi_meetings.h). The wait is the cost of the call paths in which the late one spent more time than the one
   that waited, each in proportion. If the late one had waited more itself, that part of the wait is the cost of those that it
   had waited for, and so on. All costs together are all waits. After Böhme, Geimer, Wolf and Arnold, "Identifying the root causes
   of wait states in large-scale parallel applications" (2010).

   Samples are seldom next to a wait. So the waits of the same two stacks, for the same process, share their costs: time in MPI
   functions is known of each of them, that outside is divided as all their samples are. Time without samples is that of the
   function which made the late call. */
#ifndef MPI_DELAYS_H
#define MPI_DELAYS_H

#include "event_filter.h"
#include "mpi_waits.h"

/* A stack of a process costs the waits of another stack some time. */
struct mpi_delay {
	uint32_t experiment;              /* of the late process */
	uint32_t wait_stack, late_stack;  /* what waited, and the call that it waited for */
	uint32_t stack, key;              /* where the late one spent more time; key: as of a trace */
	uint64_t direct, chain;           /* ns: what waited for it, and what waited for those that did */
	uint64_t kept_direct, kept_chain; /* by the filter, by what the late one did */
};
struct mpi_delays {
	struct mpi_delay *all;
	uint32_t count;
	struct mpi_waits waits; /* that they are the costs of */
	bool recorded;          /* any rank recorded messages or collective operations */
};
/* A number of what a stack's leaf is, by which two processes did the same. */
struct mpi_identity {
	void *context;
	uint32_t (*of)(void *context, uint32_t stack);
};
/* The costs of all waits; `filter` and `keys`, as of a trace, may be 0. mpi_delays_free() frees them. */
struct mpi_delays mpi_delays_find(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	const struct mpi_identity *identity);
void mpi_delays_free(struct mpi_delays *delays);

#endif
