/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time that processes spent in MPI because another one was not there yet. A call has at most one such wait, its longest, and
   never more than it lasted, so that waits are parts of MPI Time.

   Late sender: a receive, or the call that completes it, began before the send: until that. Late receiver: a send, or the call
   that completes it, began before the receive was posted and ended after it: until that. Barrier, N x N: until the last process
   began. Late broadcast: until the root began. Early reduce: of the root, until the last of the others began. Early scan: until
   the last process of a lower rank began. A call that returns when the first of its requests is complete waited for that. Calls
   that asked in vain waited for what the next one from the same place got. All processes of a communicator make and free others,
   windows and files together, and begin and end MPI: until the last process began.

   Wrong order: a late sender, while a message for a later call of the thread was there already. Late post: an epoch of accesses to
   a window waits until the last of its processes posted. Early wait: an epoch of exposure waits until the last process that
   accesses the window began to complete. Lock contention: until the lock before began to end.

   The events of all processes are read once, in turns. Kept are the calls of which it is not known yet whether they waited, and
   for whom: messages on their way, operations that not all have entered, and all locks of windows. */
#ifndef MPI_WAITS_H
#define MPI_WAITS_H

#include "event_filter.h"
#include "metrics.h"
#include "mpi_wait_states.h"
#include "number_map.h"

/* Times are ns since the founder's start. */
struct mpi_wait {
	uint64_t begin, call_end; /* of the call that waited */
	uint64_t end;             /* the other was there, or the call was over */
	uint64_t time;            /* ns in the call, or of calls that asked in vain in all of them */
	uint64_t late_begin;      /* of the call that it waited for */
	uint32_t experiment, thread, stack;
	uint32_t key; /* of the first event of the call by the reader's keys, else its stack */
	uint32_t late_experiment, late_thread, late_stack;
	enum mpi_wait_state state;
	bool kept; /* by the reader's filter: the event that waited, or that of its message */
};
static inline uint64_t mpi_wait_thread(const struct mpi_wait *wait)
{
	return number_pair(wait->experiment, wait->thread);
}
static inline uint64_t mpi_wait_late_thread(const struct mpi_wait *wait)
{
	return number_pair(wait->late_experiment, wait->late_thread);
}
struct mpi_wait_reader {
	void (*begin)(void *context); /* comes first; once more if all that was visited is to be forgotten */
	void (*visit)(void *context, const struct mpi_wait *wait);
	void *context;
	void (*passed)(void *context, uint64_t time); /* no wait from now on ends before that; 0: not asked for */
};
/* Visits all waits, whatever the filter (0: all) keeps, in no order; `keys` may be 0. Operations on intercommunicators and those of
   neighbours have none. False: no rank recorded messages or collective operations. */
bool mpi_waits_visit(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	const struct mpi_wait_reader *reader);

struct mpi_waits {
	struct mpi_wait *all; /* by experiment, thread and beginning */
	uint32_t count;
};
/* All of them. The caller frees the array. */
struct mpi_waits mpi_waits_read(struct data *data, const struct event_filter *filter, const struct metric_keys *keys);
/* The wait of a call, or 0. */
const struct mpi_wait *mpi_waits_of_call(
	const struct mpi_waits *waits, uint32_t experiment, uint32_t thread, uint64_t begin, uint64_t end);

#endif
