/* SPDX-License-Identifier: Apache-2.0 */
/* Which code an operation has. */
#include "operations.h"

static const struct {
	operation_code *before, *after;
} operations[MPI_OPERATION_COUNT] = {
	[MPI_OPERATION_SEND] = {send_before, send_after},
	[MPI_OPERATION_ISEND] = {isend_before, isend_after},
	[MPI_OPERATION_SEND_INIT] = {0, send_init_after},
	[MPI_OPERATION_RECEIVE] = {receive_before, receive_after},
	[MPI_OPERATION_IRECEIVE] = {ireceive_before, ireceive_after},
	[MPI_OPERATION_RECEIVE_INIT] = {0, receive_init_after},
	[MPI_OPERATION_SENDRECV] = {sendrecv_before, sendrecv_after},
	[MPI_OPERATION_ISENDRECV] = {isendrecv_before, isendrecv_after},
	[MPI_OPERATION_PROBE] = {probe_before, probe_after},
	[MPI_OPERATION_IPROBE] = {probe_before, iprobe_after},
	[MPI_OPERATION_MPROBE] = {probe_before, mprobe_after},
	[MPI_OPERATION_IMPROBE] = {probe_before, improbe_after},
	[MPI_OPERATION_MRECEIVE] = {mreceive_before, mreceive_after},
	[MPI_OPERATION_IMRECEIVE] = {imreceive_before, imreceive_after},
	[MPI_OPERATION_WAIT] = {one_before, wait_after},
	[MPI_OPERATION_WAITALL] = {all_before, waitall_after},
	[MPI_OPERATION_WAITANY] = {any_before, waitany_after},
	[MPI_OPERATION_WAITSOME] = {some_before, waitsome_after},
	[MPI_OPERATION_TEST] = {one_before, test_after},
	[MPI_OPERATION_TESTALL] = {all_before, testall_after},
	[MPI_OPERATION_TESTANY] = {any_before, testany_after},
	[MPI_OPERATION_TESTSOME] = {some_before, testsome_after},
	[MPI_OPERATION_POLL] = {0, poll_after},
	[MPI_OPERATION_START] = {0, start_after},
	[MPI_OPERATION_STARTALL] = {0, startall_after},
	[MPI_OPERATION_REQUEST_FREE] = {request_free_before, request_free_after},
	[MPI_OPERATION_COLLECTIVE] = {collective_before, collective_after},
	[MPI_OPERATION_ICOLLECTIVE] = {collective_before, icollective_after},
	[MPI_OPERATION_CREATE] = {create_before, create_after},
	[MPI_OPERATION_CREATE_LATER] = {create_before, create_later_after},
	[MPI_OPERATION_CREATE_GROUP] = {create_before, create_group_after},
	[MPI_OPERATION_CREATE_FROM] = {0, create_from_after},
	[MPI_OPERATION_MEET] = {create_before, meet_after},
	[MPI_OPERATION_CONNECT] = {create_before, connect_after},
	[MPI_OPERATION_JOIN] = {join_before, join_after},
	[MPI_OPERATION_SPAWN] = {spawn_before, spawn_after},
	[MPI_OPERATION_SPAWN_MULTIPLE] = {spawn_multiple_before, spawn_after},
	[MPI_OPERATION_FREE] = {free_before, together_after},
	[MPI_OPERATION_SET_NAME] = {0, set_name_after},
	[MPI_OPERATION_OPEN] = {0, open_after},
	[MPI_OPERATION_CLOSE] = {close_before, together_after},
	[MPI_OPERATION_REMOTE] = {remote_before, remote_after},
	[MPI_OPERATION_WINDOW] = {window_before, window_after},
	[MPI_OPERATION_POST] = {window_before, post_after},
	[MPI_OPERATION_EXPOSED] = {window_before, exposed_after},
	[MPI_OPERATION_ACCESS] = {window_before, access_after},
	[MPI_OPERATION_COMPLETE] = {window_before, complete_after},
	[MPI_OPERATION_LOCK] = {window_before, lock_after},
	[MPI_OPERATION_FLUSH] = {window_before, flush_after},
	[MPI_OPERATION_UNLOCK] = {window_before, unlock_after},
	[MPI_OPERATION_TRANSFER] = {transfer_before, transfer_after},
	[MPI_OPERATION_INIT] = {init_before, init_after},
	[MPI_OPERATION_FINALIZE] = {finalize_before, together_after},
	[MPI_OPERATION_SESSION_INIT] = {0, session_init_after},
	[MPI_OPERATION_SESSION_FINALIZE] = {session_finalize_before, 0},
	[MPI_OPERATION_ABORT] = {abort_before, 0},
};

void operation_before(struct mpi_call *call)
{
	operation_code *code = operations[call->function->operation].before;
	if (code)
		code(call);
}

void operation_after(struct mpi_call *call)
{
	operation_code *code = operations[call->function->operation].after;
	if (code)
		code(call);
}
