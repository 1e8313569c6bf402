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
   accesses the window began to complete. Lock contention: until the lock before began to end. */
#ifndef MPI_WAITS_H
#define MPI_WAITS_H

#include "mpi_trace.h"

enum mpi_wait_state {
#define WAIT(name, title) MPI_WAIT_##name,
#include "mpi_wait_states.def"
	MPI_WAIT_STATES
};
const char *mpi_wait_title(enum mpi_wait_state state);

struct mpi_wait {
	uint64_t time;       /* ns in the call, or of calls that asked in vain in all of them */
	uint64_t end;        /* ns since the founder's start: the other was there, or the call was over */
	uint32_t call, late; /* of the trace: the call that waited, the one that it waited for */
	enum mpi_wait_state state;
	bool kept; /* by the trace's filter: the event that waited, or that of its message */
};
/* In the order of calls, of a trace whose messages are matched. Operations on intercommunicators and those of neighbours have
   none. The caller frees them. */
struct mpi_wait *mpi_waits_find(const struct mpi_trace *trace, const struct data *data, uint32_t *count);

#endif
