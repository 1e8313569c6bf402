/* SPDX-License-Identifier: Apache-2.0 */
/* Which code an operation has. */
#include "operations.h"

static const struct {
	operation_code *before, *after;
} operations[OPERATION_COUNT] = {
	[OPERATION_SEND] = {send_before, send_after},
	[OPERATION_ISEND] = {isend_before, isend_after},
	[OPERATION_SEND_INIT] = {0, send_init_after},
	[OPERATION_RECEIVE] = {receive_before, receive_after},
	[OPERATION_IRECEIVE] = {ireceive_before, ireceive_after},
	[OPERATION_RECEIVE_INIT] = {0, receive_init_after},
	[OPERATION_SENDRECV] = {sendrecv_before, sendrecv_after},
	[OPERATION_ISENDRECV] = {isendrecv_before, isendrecv_after},
	[OPERATION_PROBE] = {probe_before, probe_after},
	[OPERATION_IPROBE] = {probe_before, iprobe_after},
	[OPERATION_MPROBE] = {probe_before, mprobe_after},
	[OPERATION_IMPROBE] = {probe_before, improbe_after},
	[OPERATION_MRECEIVE] = {mreceive_before, mreceive_after},
	[OPERATION_IMRECEIVE] = {imreceive_before, imreceive_after},
	[OPERATION_WAIT] = {one_before, wait_after},
	[OPERATION_WAITALL] = {all_before, waitall_after},
	[OPERATION_WAITANY] = {any_before, waitany_after},
	[OPERATION_WAITSOME] = {some_before, waitsome_after},
	[OPERATION_TEST] = {one_before, test_after},
	[OPERATION_TESTALL] = {all_before, testall_after},
	[OPERATION_TESTANY] = {any_before, testany_after},
	[OPERATION_TESTSOME] = {some_before, testsome_after},
	[OPERATION_POLL] = {0, poll_after},
	[OPERATION_START] = {0, start_after},
	[OPERATION_STARTALL] = {0, startall_after},
	[OPERATION_REQUEST_FREE] = {request_free_before, request_free_after},
	[OPERATION_COLLECTIVE] = {collective_before, collective_after},
	[OPERATION_ICOLLECTIVE] = {collective_before, icollective_after},
	[OPERATION_CREATE] = {create_before, create_after},
	[OPERATION_SPAWN] = {spawn_before, create_after},
	[OPERATION_FREE] = {free_before, 0},
	[OPERATION_SET_NAME] = {0, set_name_after},
	[OPERATION_OPEN] = {0, open_after},
	[OPERATION_CLOSE] = {close_before, 0},
	[OPERATION_REMOTE] = {remote_before, remote_after},
	[OPERATION_WINDOW] = {window_before, 0},
	[OPERATION_TRANSFER] = {window_before, transfer_after},
	[OPERATION_INIT] = {init_before, init_after},
	[OPERATION_FINALIZE] = {finalize_before, 0},
	[OPERATION_ABORT] = {abort_before, 0},
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
