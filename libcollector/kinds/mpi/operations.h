/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a call beside its time, by operation: which messages it began, posted, received or completed. `before` runs before
   the real function and may change arguments, `after` when it has returned. Both run inside guard_enter(). Rules of the
   standard that matter here: bytes that were received are what the status says; a send counts when it begins, a receive when it
   is complete; MPI_PROC_NULL is nobody; what a function was not given (types that do not matter at a rank) is not looked at. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "call.h"

void operation_before(struct mpi_call *call);
void operation_after(struct mpi_call *call);

typedef void operation_code(struct mpi_call *call);

/* messages.c */
operation_code send_before, send_after, isend_before, isend_after, send_init_after;
operation_code receive_before, receive_after, ireceive_before, ireceive_after, receive_init_after;
operation_code sendrecv_before, sendrecv_after, isendrecv_before, isendrecv_after;
operation_code probe_before, probe_after, iprobe_after, mprobe_after, improbe_after, mreceive_before, mreceive_after,
	imreceive_before, imreceive_after;
/* completions.c */
operation_code one_before, wait_after, test_after, all_before, waitall_after, testall_after, any_before, waitany_after,
	testany_after, some_before, waitsome_after, testsome_after, poll_after, start_after, startall_after,
	request_free_before, request_free_after;
/* collectives.c */
operation_code collective_before, collective_after, icollective_after;
operation_code together_after, open_after, close_before, remote_before, remote_after, window_before, window_after,
	transfer_before, transfer_after;
/* windows.c */
operation_code post_after, exposed_after, access_after, complete_after, lock_after, flush_after, unlock_after;
/* spawn.c */
operation_code spawn_before, spawn_multiple_before, spawn_after;
/* communicators.c */
operation_code free_before, set_name_after;
/* creations.c */
operation_code create_before, create_after, create_later_after, create_group_after, create_from_after, meet_after,
	connect_after, join_before, join_after;
/* process.c */
operation_code init_before, init_after, finalize_before, abort_before, session_init_after, session_finalize_before;

/* The size of `count` elements of a type; 0 for none. */
uint64_t mpi_bytes(const struct mpi_call *call, long type, uint64_t elements);
/* All processes of a communicator make the call: it is their operation of that number. */
void mpi_together(struct mpi_call *call, uint32_t communicator, uint64_t order);
/* Forgets the epochs of a window, and all in a fork child. */
void epochs_close(uint64_t window);
void epochs_forget(void);
/* The launcher's name of this run, as a number. */
uint64_t mpi_job_identity(void);
/* Where the process was spawned, its communicator with those who spawned it exists from now on. */
void spawned_define_parent(const struct mpi_call *call);
/* The number of elements that an argument says. */
uint64_t mpi_count(const struct mpi_call *call, uint8_t place);
/* Where the target wants no status, gives the call one of its own. */
void mpi_want_status(struct mpi_call *call);
/* The received message that a status tells of, if it does. */
void mpi_received(struct mpi_call *call, const struct mpi_status *status, uint32_t communicator, uint64_t order);

#endif
