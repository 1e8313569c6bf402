/* SPDX-License-Identifier: Apache-2.0 */
/* Collective, one-sided and file operations: which communicator, which of them on it, and the bytes that this rank gave and
   got. A type that does not matter at a rank may be anything and is not asked for its size. */
#include "communicators.h"
#include "operations.h"
#include "requests.h"
#include <string.h>

enum { SEND_BUFFER = 1 };

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

/* The words leave out the first letter, because it is a capital in MPI_Scatter and a small one in MPI_Iscatter and
   MPI_Reduce_scatter. */
static bool is(const struct mpi_call *call, const char *word)
{
	return strstr(call->function->name, word) != 0;
}

static uint64_t give(const struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	if (!at->count || !at->type || (uint64_t)mpi_argument(call, SEND_BUFFER) == call->abi->in_place)
		return 0;
	return mpi_bytes(call, mpi_argument(call, at->type), mpi_count(call, at->count));
}

static uint64_t get(const struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	if (!at->receive_count || !at->receive_type)
		return 0;
	return mpi_bytes(call, mpi_argument(call, at->receive_type), mpi_count(call, at->receive_count));
}

/* One process gives or gets for all. */
static void fill_rooted(const struct mpi_call *call, struct mpi_message *message, bool root, uint64_t all)
{
	if (is(call, "cast")) {
		*(root ? &message->sent : &message->received) = give(call);
	} else if (is(call, "catter")) {
		message->sent = root ? give(call) * all : 0;
		uint64_t buffer = (uint64_t)mpi_argument(call, (uint8_t)(call->function->at.receive_count - 1));
		message->received = buffer == call->abi->in_place ? 0 : get(call);
	} else {
		message->sent = give(call);
		message->received = root ? get(call) * all : 0;
	}
}

static void fill(const struct mpi_call *call, struct mpi_message *message)
{
	uint64_t all = communicator_size(call->communicator);
	int root = call->function->at.peer ? mpi_int(call, call->function->at.peer) : -1;
	if (call->function->at.peer && root < 0) /* of an intercommunicator: the rank's part in it is told by that */
		return;
	if (call->function->at.peer) {
		message->peer = (uint32_t)root;
		fill_rooted(call, message, (uint32_t)root == communicator_rank(call->communicator), all);
		return;
	}
	message->sent = give(call);
	message->received = get(call);
	if (is(call, "eighbor"))
		return;
	/* MPI counts the elements for one partner in these functions; the bytes that a rank moved are those for all partners. */
	if (is(call, "lltoall"))
		message->sent *= all;
	if (is(call, "lltoall") || is(call, "llgather"))
		message->received *= all;
}

void collective_after(struct mpi_call *call)
{
	struct mpi_message message = {
		.role = ROLE_COLLECTIVE, .peer = ANY_NUMBER, .communicator = call->communicator, .order = call->order};
	if (call->failed)
		return;
	fill(call, &message);
	mpi_call_message(call, &message);
}

void icollective_after(struct mpi_call *call)
{
	const struct request request = {
		.role = ROLE_COLLECTIVE, .active = true, .communicator = call->communicator, .order = call->order};
	collective_after(call);
	if (!call->failed)
		request_add(call, &request);
}

void mpi_together(struct mpi_call *call, uint32_t communicator, uint64_t order)
{
	const struct mpi_message message = {
		.role = ROLE_COLLECTIVE, .peer = ANY_NUMBER, .communicator = communicator, .order = order};
	if (communicator)
		mpi_call_message(call, &message);
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
	call->communicator = communicator_of(window_argument(call));
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
	call->communicator = communicator_of(handle);
	call->order = communicator_next_opened(handle);
	communicator_closed(handle);
	epochs_close(handle);
}

void remote_before(struct mpi_call *call)
{
	window_before(call);
}

void remote_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	struct mpi_message message = {.role = ROLE_REMOTE, .communicator = call->communicator};
	if (call->failed || mpi_int(call, at->peer) == call->abi->proc_null)
		return;
	message.peer = (uint32_t)mpi_int(call, at->peer);
	if (at->type)
		message.sent = mpi_bytes(call, mpi_argument(call, at->type), mpi_count(call, at->count));
	if (at->receive_type)
		message.received =
			mpi_bytes(call, mpi_argument(call, at->receive_type), mpi_count(call, at->receive_count));
	mpi_call_message(call, &message);
}

void transfer_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	struct mpi_message message = {.role = ROLE_FILE, .communicator = call->communicator};
	if (call->failed)
		return;
	if (at->type)
		message.sent = mpi_bytes(call, mpi_argument(call, at->type), mpi_count(call, at->count));
	if (at->receive_type)
		message.received =
			mpi_bytes(call, mpi_argument(call, at->receive_type), mpi_count(call, at->receive_count));
	mpi_call_message(call, &message);
	window_after(call);
}
