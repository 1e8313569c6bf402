/* SPDX-License-Identifier: Apache-2.0 */
/* Point-to-point messages. */
#include "communicators.h"
#include "handle_map.h"
#include "operations.h"
#include "requests.h"

/* A message that MPI_Mprobe took for a later receive: by its handle. */
struct probed {
	uint32_t communicator;
	uint64_t order;
};
static struct handle_map probed = {.entry_size = sizeof(struct probed)};

uint64_t mpi_count(const struct mpi_call *call, uint8_t place)
{
	if (!place)
		return 1;
	long count = call->function->large ? mpi_argument(call, place) : mpi_int(call, place);
	return count > 0 ? (uint64_t)count : 0;
}

uint64_t mpi_bytes(const struct mpi_call *call, long type, uint64_t elements)
{
	long long size = 0;
	if (!elements || MPI_ASK(MPI_Type_size_x, (long)mpi_handle(call->abi, type), (long)&size) != 0 || size < 0)
		return 0;
	return elements * (uint64_t)size;
}

void mpi_want_status(struct mpi_call *call)
{
	long *status = &call->arguments[call->function->at.status - 1];
	if ((uint64_t)*status == call->abi->status_ignore)
		*status = (long)call->status;
}

void mpi_received(struct mpi_call *call, const struct mpi_status *status, uint32_t communicator, uint64_t order)
{
	if (status->cancelled)
		*mpi_call_message(call) =
			(struct mpi_message){.role = ROLE_CANCELLED, .communicator = communicator, .order = order};
	else if (status->source != call->abi->proc_null)
		*mpi_call_message(call) = (struct mpi_message){.role = ROLE_RECEIVE,
			.peer = (uint32_t)status->source,
			.tag = (uint32_t)status->tag,
			.communicator = communicator,
			.received = status->bytes,
			.order = order};
}

static void received_by(struct mpi_call *call)
{
	struct mpi_status status = mpi_status_read(call->abi, (void *)mpi_argument(call, call->function->at.status));
	mpi_received(call, &status, call->communicator, call->order);
}

static void find_communicator(struct mpi_call *call)
{
	call->communicator = communicator_number(call->abi, mpi_argument(call, call->function->at.communicator));
}

static bool is_nobody(const struct mpi_call *call, uint8_t place)
{
	return mpi_int(call, place) == call->abi->proc_null;
}

static uint32_t source_of(const struct mpi_call *call)
{
	int source = mpi_int(call, call->function->at.source);
	return source == call->abi->any_source ? ANY_NUMBER : (uint32_t)source;
}

static uint32_t receive_tag_of(const struct mpi_call *call)
{
	int tag = mpi_int(call, call->function->at.receive_tag);
	return tag == call->abi->any_tag ? ANY_NUMBER : (uint32_t)tag;
}

static uint64_t bytes_sent(const struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	uint64_t elements = mpi_count(call, at->count) * (at->partitions ? mpi_count(call, at->partitions) : 1);
	return mpi_bytes(call, mpi_argument(call, at->type), elements);
}

/* The message that the call sends; its order was taken before. */
static void sent_by(struct mpi_call *call, uint64_t order)
{
	const struct mpi_places *at = &call->function->at;
	*mpi_call_message(call) = (struct mpi_message){.role = ROLE_SEND,
		.communicator = call->communicator,
		.peer = (uint32_t)mpi_int(call, at->peer),
		.tag = (uint32_t)mpi_int(call, at->tag),
		.sent = bytes_sent(call),
		.order = order};
}

static void posted_by(struct mpi_call *call)
{
	*mpi_call_message(call) = (struct mpi_message){.role = ROLE_POST,
		.communicator = call->communicator,
		.peer = source_of(call),
		.tag = receive_tag_of(call),
		.order = call->order};
}

void send_before(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	find_communicator(call);
	mpi_call_progress(call, ROLE_SEND, (uint32_t)mpi_int(call, at->peer), (uint32_t)mpi_int(call, at->tag), 0);
}

void send_after(struct mpi_call *call)
{
	/* A send that failed sent nothing, and MPI_PROC_NULL is nobody: neither is a message, so neither takes a number. */
	if (!call->failed && !is_nobody(call, call->function->at.peer))
		sent_by(call, next_send());
}

void isend_before(struct mpi_call *call)
{
	send_before(call);
}

void isend_after(struct mpi_call *call)
{
	if (call->failed || is_nobody(call, call->function->at.peer))
		return;
	uint64_t order = next_send();
	sent_by(call, order);
	request_add(call, .role = ROLE_SEND, .active = true, .communicator = call->communicator, .order = order);
}

void send_init_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	find_communicator(call);
	if (call->failed || is_nobody(call, at->peer))
		return;
	request_add(call, .role = ROLE_SEND, .persistent = true, .communicator = call->communicator,
		.peer = (uint32_t)mpi_int(call, at->peer), .tag = (uint32_t)mpi_int(call, at->tag),
		.bytes = bytes_sent(call));
}

void receive_before(struct mpi_call *call)
{
	find_communicator(call);
	mpi_want_status(call);
	call->order = next_receive();
	mpi_call_progress(call, ROLE_RECEIVE, source_of(call), receive_tag_of(call), 0);
}

void receive_after(struct mpi_call *call)
{
	if (!call->failed && !is_nobody(call, call->function->at.source))
		received_by(call);
}

void ireceive_before(struct mpi_call *call)
{
	find_communicator(call);
	call->order = next_receive();
	mpi_call_progress(call, ROLE_POST, source_of(call), receive_tag_of(call), 0);
}

void ireceive_after(struct mpi_call *call)
{
	if (call->failed || is_nobody(call, call->function->at.source))
		return;
	posted_by(call);
	request_add(
		call, .role = ROLE_RECEIVE, .active = true, .communicator = call->communicator, .order = call->order);
}

void receive_init_after(struct mpi_call *call)
{
	find_communicator(call);
	if (call->failed || is_nobody(call, call->function->at.source))
		return;
	request_add(call, .role = ROLE_RECEIVE, .persistent = true, .communicator = call->communicator,
		.peer = source_of(call), .tag = receive_tag_of(call));
}

void sendrecv_before(struct mpi_call *call)
{
	receive_before(call);
}

void sendrecv_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	if (!is_nobody(call, call->function->at.peer))
		sent_by(call, next_send());
	receive_after(call);
}

void isendrecv_before(struct mpi_call *call)
{
	ireceive_before(call);
}

void isendrecv_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	if (!is_nobody(call, call->function->at.peer))
		sent_by(call, next_send());
	ireceive_after(call);
}

void probe_before(struct mpi_call *call)
{
	find_communicator(call);
	mpi_want_status(call);
	mpi_call_progress(call, ROLE_NONE, source_of(call), receive_tag_of(call), 0);
}

/* There is a message, which a receive of this order or a later one gets. */
static void probed_by(struct mpi_call *call, uint64_t order)
{
	struct mpi_status status = mpi_status_read(call->abi, (void *)mpi_argument(call, call->function->at.status));
	if (status.source != call->abi->proc_null)
		*mpi_call_message(call) = (struct mpi_message){.role = ROLE_PROBE,
			.communicator = call->communicator,
			.peer = (uint32_t)status.source,
			.tag = (uint32_t)status.tag,
			.order = order};
}

void probe_after(struct mpi_call *call)
{
	if (!call->failed)
		probed_by(call, coming_receive());
}

static bool flag_is_set(const struct mpi_call *call)
{
	return *(const int *)mpi_argument(call, call->function->at.flag) != 0;
}

void iprobe_after(struct mpi_call *call)
{
	call->poll = !call->failed && !flag_is_set(call);
	if (!call->poll)
		probe_after(call);
}

void mprobe_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.message), 0);
	if (handle == call->abi->message_no_proc)
		return;
	/* The message is taken now: a receive that is posted before MPI_Mrecv gets a later one. */
	uint64_t order = next_receive();
	mpi_lock();
	/* MPI_Mrecv has no argument for the communicator: the message's handle has to lead to it. */
	struct probed *entry = handle_map_add(&probed, handle, 0);
	if (entry)
		*entry = (struct probed){call->communicator, order};
	mpi_unlock();
	probed_by(call, order);
}

void improbe_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	if (flag_is_set(call))
		mprobe_after(call);
	else
		call->poll = true;
}

/* False: there is no message. */
static bool take_probed(struct mpi_call *call)
{
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.message), 0);
	mpi_lock();
	struct probed *entry = handle_map_find(&probed, handle, 0);
	bool found = entry != 0;
	if (found) {
		call->communicator = entry->communicator;
		call->order = entry->order;
		handle_map_remove(&probed, entry);
	}
	mpi_unlock();
	if (!found)
		call->order = next_receive();
	return found;
}

void mreceive_before(struct mpi_call *call)
{
	take_probed(call);
	mpi_want_status(call);
}

void mreceive_after(struct mpi_call *call)
{
	if (!call->failed)
		received_by(call);
}

void imreceive_before(struct mpi_call *call)
{
	/* Kept until the call has returned: whether there is a message at all. */
	call->status[0] = take_probed(call);
}

void imreceive_after(struct mpi_call *call)
{
	if (call->failed || !call->status[0])
		return;
	*mpi_call_message(call) = (struct mpi_message){.role = ROLE_POST,
		.communicator = call->communicator,
		.peer = ANY_NUMBER,
		.tag = ANY_NUMBER,
		.order = call->order};
	request_add(
		call, .role = ROLE_RECEIVE, .active = true, .communicator = call->communicator, .order = call->order);
}
