/* SPDX-License-Identifier: Apache-2.0 */
/* The map of requests. */
#include "requests.h"
#include "collector.h"
#include "creations.h"
#include "handle_map.h"
#include "operations.h"

static struct handle_map map = {.entry_size = sizeof(struct request)};
static uint64_t sends, receives;

uint64_t next_send(void)
{
	return mpi_next(&sends);
}

uint64_t next_receive(void)
{
	return mpi_next(&receives);
}

uint64_t coming_receive(void)
{
	return __atomic_load_n(&receives, __ATOMIC_RELAXED);
}

void requests_clear(void)
{
	handle_map_clear(&map);
	sends = receives = 0;
}

/* Whose a request is: the thread's, where several call MPI at the same time. */
static uint32_t owner(void)
{
	return mpi_several_threads ? current_thread->number : 0;
}

struct request *request_make(struct mpi_call *call)
{
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.request), 0);
	mpi_lock();
	if (handle == call->abi->request_null)
		return 0;
	struct request *entry = handle_map_add(&map, handle, owner());
	if (!entry)
		count(TALLY_events_lost_memory, 1);
	return entry;
}

static struct request *first_that_is(struct request *request, bool active)
{
	while (request && request->active != active)
		request = handle_map_next(&map, request);
	return request;
}

/* The handle's request that is active, or is not. MPICH has one handle for all requests that are complete at once, and the
   library gives a handle to another thread before the one whose request it was has told us of its end: of several it is the
   oldest that this thread made, else the oldest. */
static struct request *find(uint64_t handle, bool active)
{
	struct request *oldest = first_that_is(handle_map_find(&map, handle, owner()), active);
	if (oldest)
		return oldest;
	for (void *first = handle_map_find_first(&map, handle); first; first = handle_map_next_first(&map, first)) {
		struct request *request = first_that_is(first, active);
		if (request && (!oldest || handle_map_is_before(request, oldest)))
			oldest = request;
	}
	return oldest;
}

static void tell(struct mpi_call *call, const struct request *request, const void *status)
{
	if (request->role == ROLE_RECEIVE) {
		struct mpi_status said = mpi_status_read(call->abi, status);
		mpi_received(call, &said, request->communicator, request->order);
		return;
	}
	*mpi_call_message(call) = (struct mpi_message){.role = request->role == ROLE_SEND ? ROLE_SENT : ROLE_COMPLETED,
		.communicator = request->communicator,
		.order = request->order};
}

void request_complete(struct mpi_call *call, uint64_t handle, const void *status)
{
	struct request copy;
	if (handle == call->abi->request_null)
		return;
	mpi_lock();
	struct request *request = find(handle, true);
	if (request) {
		copy = *request;
		request->active = false;
		/* A persistent request stays until MPI_Request_free(): MPI_Start begins it again. */
		if (!request->persistent)
			handle_map_remove(&map, request);
	}
	mpi_unlock();
	if (request && copy.made)
		creation_complete(call, &copy);
	if (request && copy.role != ROLE_NONE)
		tell(call, &copy, status);
}

void request_start(struct mpi_call *call, uint64_t handle)
{
	struct mpi_message message = {.role = ROLE_NONE};
	mpi_lock();
	struct request *request = find(handle, false);
	if (request) {
		request->active = true;
		message = (struct mpi_message){.role = request->role == ROLE_SEND ? ROLE_SEND : ROLE_POST,
			.communicator = request->communicator,
			.peer = request->peer,
			.tag = request->tag,
			.sent = request->bytes};
		message.order = request->order = request->role == ROLE_SEND ? next_send() : next_receive();
	}
	bool told = request && request->role != ROLE_NONE;
	mpi_unlock();
	if (told)
		*mpi_call_message(call) = message;
}

void request_forget(struct mpi_call *call, uint64_t handle)
{
	struct mpi_message message = {.role = ROLE_CANCELLED};
	mpi_lock();
	struct request *request = find(handle, true);
	request = request ? request : find(handle, false);
	/* A send counted when it began and stays sent; a receive that is given up will never be complete, and er_print must not
	   wait for its partner. */
	bool told = request && request->active && request->role == ROLE_RECEIVE;
	if (request) {
		message.communicator = request->communicator;
		message.order = request->order;
		handle_map_remove(&map, request);
	}
	mpi_unlock();
	if (told)
		*mpi_call_message(call) = message;
}
