/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for requests, testing, starting and freeing them. The calls overwrite handles: they are copied before. */
#include "operations.h"
#include "requests.h"
#include <string.h>

enum { HANDLES, STATUSES }; /* mpi_call_memory() */

static void *request_argument(const struct mpi_call *call)
{
	return (void *)mpi_argument(call, call->function->at.request);
}

static uint64_t requests_of(const struct mpi_call *call)
{
	int count = mpi_int(call, call->function->at.count);
	return count > 0 ? (uint64_t)count : 0;
}

static size_t handle_size(const struct mpi_call *call)
{
	return call->abi->handle_mask == UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}

static int output(const struct mpi_call *call, uint8_t place)
{
	return *(const int *)mpi_argument(call, place);
}

static void copy_handles(struct mpi_call *call, uint64_t count)
{
	size_t size = count * handle_size(call);
	void *copy = mpi_call_memory(call, HANDLES, size);
	if (copy && size)
		memcpy(copy, request_argument(call), size);
}

static uint64_t copied(struct mpi_call *call, uint64_t index)
{
	void *copy = mpi_call_memory(call, HANDLES, 1);
	return copy ? mpi_handle_at(call->abi, copy, index) : call->abi->request_null;
}

static const void *status_at(const struct mpi_call *call, uint64_t index)
{
	return (const char *)mpi_argument(call, call->function->at.status) + index * call->abi->status_size;
}

/* Only a status tells how many bytes a receive got and from whom. Where the target passes MPI_STATUSES_IGNORE the library gets
   room of ours. */
static void want_statuses(struct mpi_call *call, uint64_t count)
{
	long *statuses = &call->arguments[call->function->at.status - 1];
	if ((uint64_t)*statuses != call->abi->statuses_ignore)
		return;
	void *ours = mpi_call_memory(call, STATUSES, count * call->abi->status_size);
	if (ours)
		*statuses = (long)ours;
}

void one_before(struct mpi_call *call)
{
	copy_handles(call, 1);
	mpi_want_status(call);
}

void wait_after(struct mpi_call *call)
{
	if (!call->failed)
		request_complete(call, copied(call, 0), status_at(call, 0));
}

void test_after(struct mpi_call *call)
{
	if (call->failed || output(call, call->function->at.flag))
		wait_after(call);
	else
		call->poll = true;
}

void all_before(struct mpi_call *call)
{
	copy_handles(call, requests_of(call));
	want_statuses(call, requests_of(call));
}

void waitall_after(struct mpi_call *call)
{
	for (uint64_t i = 0; !call->failed && i < requests_of(call); i++)
		request_complete(call, copied(call, i), status_at(call, i));
}

void testall_after(struct mpi_call *call)
{
	if (call->failed || output(call, call->function->at.flag))
		waitall_after(call);
	else
		call->poll = true;
}

void any_before(struct mpi_call *call)
{
	copy_handles(call, requests_of(call));
	mpi_want_status(call);
}

void waitany_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	int index = output(call, call->function->at.index);
	if (index >= 0 && (uint64_t)index < requests_of(call))
		request_complete(call, copied(call, (uint64_t)index), status_at(call, 0));
}

void testany_after(struct mpi_call *call)
{
	if (call->failed || output(call, call->function->at.flag))
		waitany_after(call);
	else
		call->poll = true;
}

void some_before(struct mpi_call *call)
{
	all_before(call);
}

void waitsome_after(struct mpi_call *call)
{
	const int *indices = (const int *)mpi_argument(call, call->function->at.index);
	int done = call->failed ? 0 : output(call, call->function->at.out_count);
	for (int i = 0; i < done; i++)
		if (indices[i] >= 0 && (uint64_t)indices[i] < requests_of(call))
			request_complete(call, copied(call, (uint64_t)indices[i]), status_at(call, (uint64_t)i));
}

void testsome_after(struct mpi_call *call)
{
	if (!call->failed && output(call, call->function->at.out_count) == 0)
		call->poll = true;
	else
		waitsome_after(call);
}

void poll_after(struct mpi_call *call)
{
	call->poll = !call->failed && !output(call, call->function->at.flag);
}

void start_after(struct mpi_call *call)
{
	if (!call->failed)
		request_start(call, mpi_handle_at(call->abi, request_argument(call), 0));
}

void startall_after(struct mpi_call *call)
{
	for (uint64_t i = 0; !call->failed && i < requests_of(call); i++)
		request_start(call, mpi_handle_at(call->abi, request_argument(call), i));
}

void request_free_before(struct mpi_call *call)
{
	copy_handles(call, 1);
}

void request_free_after(struct mpi_call *call)
{
	if (!call->failed)
		request_forget(call, copied(call, 0));
}
