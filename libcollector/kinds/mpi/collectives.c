/* SPDX-License-Identifier: Apache-2.0 */
/* Collective, one-sided and file operations: which communicator, which of them on it, and the bytes that this rank gave and
   got. */
#include "collective_bytes.h"
#include "communicators.h"
#include "operations.h"
#include "requests.h"

void collective_before(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	call->communicator = communicator_number(call->abi, mpi_argument(call, at->communicator));
	/* The standard wants collectives begun in the same order on all ranks of a communicator: so the number alone pairs them
	   up. */
	call->order = communicator_next_collective(call->communicator);
	mpi_call_progress(
		call, ROLE_COLLECTIVE, at->peer ? (uint32_t)mpi_int(call, at->peer) : ANY_NUMBER, ANY_NUMBER, 0);
}

void collective_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	struct mpi_message *message = mpi_call_message(call);
	*message = (struct mpi_message){
		.role = ROLE_COLLECTIVE, .peer = ANY_NUMBER, .communicator = call->communicator, .order = call->order};
	int root = call->function->at.peer ? mpi_int(call, call->function->at.peer) : -1;
	/* A negative root, of an intercommunicator, tells the rank's own part in the operation. */
	if (root >= 0)
		message->peer = (uint32_t)root;
	collective_bytes(call, message);
}

void icollective_after(struct mpi_call *call)
{
	collective_after(call);
	if (!call->failed)
		request_add(call, .role = ROLE_COLLECTIVE, .active = true, .communicator = call->communicator,
			.order = call->order);
}

void mpi_together(struct mpi_call *call, uint32_t communicator, uint64_t order)
{
	if (communicator)
		*mpi_call_message(call) = (struct mpi_message){
			.role = ROLE_COLLECTIVE, .peer = ANY_NUMBER, .communicator = communicator, .order = order};
}

/* The communicator and the number were taken before the call. */
void together_after(struct mpi_call *call)
{
	if (!call->failed)
		mpi_together(call, call->communicator, call->order);
}

/* A window's handle is an int in MPICH, a file's a pointer in both. */
static bool is_of_file(const struct mpi_call *call)
{
	return call->function->name[4] == 'F';
}

static uint64_t window_argument(const struct mpi_call *call)
{
	long argument = mpi_argument(call, call->function->at.handle);
	return is_of_file(call) ? (uint64_t)argument : mpi_handle(call->abi, argument);
}

static uint64_t window_at_argument(const struct mpi_call *call)
{
	const void *address = (const void *)mpi_argument(call, call->function->at.handle);
	return is_of_file(call) ? *(const uint64_t *)address : mpi_handle_at(call->abi, address, 0);
}

void open_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	call->communicator = communicator_number(call->abi, mpi_argument(call, at->communicator));
	if (call->failed)
		return;
	communicator_opened(window_at_argument(call), call->communicator);
	mpi_together(call, call->communicator, communicator_next_collective(call->communicator));
}

void window_before(struct mpi_call *call)
{
	if (!call->function->at.handle)
		return;
	call->communicator = communicator_of(window_argument(call), 0);
	if (call->function->at.together)
		call->order = communicator_next_opened(window_argument(call));
}

void window_after(struct mpi_call *call)
{
	if (call->function->at.together)
		together_after(call);
}

void close_before(struct mpi_call *call)
{
	uint64_t handle = window_at_argument(call);
	call->communicator = communicator_of(handle, 0);
	call->order = communicator_next_opened(handle);
	communicator_closed(handle);
	epochs_close(handle);
}

/* Programs make millions of these calls: one look-up tells both. */
void remote_before(struct mpi_call *call)
{
	call->communicator = communicator_of(window_argument(call), &call->order);
	call->order <<= 32;
}

void remote_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	if (call->failed || mpi_int(call, at->peer) == call->abi->proc_null)
		return;
	struct mpi_message *message = mpi_call_message(call);
	*message = (struct mpi_message){.role = ROLE_REMOTE,
		.communicator = call->communicator,
		.peer = (uint32_t)mpi_int(call, at->peer),
		.order = call->order};
	if (at->type)
		message->sent = mpi_bytes(call, mpi_argument(call, at->type), mpi_count(call, at->count));
	if (at->receive_type)
		message->received =
			mpi_bytes(call, mpi_argument(call, at->receive_type), mpi_count(call, at->receive_count));
}

/* A read that reaches the end of the file gets less than it asked for, and only its status says so. One that goes on after its call
   (MPI_File_iread) counts with what it asked for. */
static uint64_t transfer_received(const struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	uint64_t asked = at->receive_type ? mpi_bytes(call, mpi_argument(call, at->receive_type),
						    mpi_count(call, at->receive_count))
					  : UINT64_MAX;
	if (!at->status)
		return at->receive_type ? asked : 0;
	uint64_t bytes = mpi_status_read(call->abi, (const void *)mpi_argument(call, at->status)).bytes;
	return bytes < asked ? bytes : asked;
}

void transfer_before(struct mpi_call *call)
{
	window_before(call);
	if (call->function->at.status)
		mpi_want_status(call);
}

void transfer_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	if (call->failed)
		return;
	struct mpi_message *message = mpi_call_message(call);
	*message = (struct mpi_message){.role = ROLE_FILE,
		.communicator = call->communicator,
		.received = transfer_received(call),
		.order = communicator_opened_number(window_argument(call)) << 32};
	if (at->type)
		message->sent = mpi_bytes(call, mpi_argument(call, at->type), mpi_count(call, at->count));
	window_after(call);
}
