/* SPDX-License-Identifier: Apache-2.0 */
/* The words by which processes let each other go on at a window, and its locks. Post and complete are words to each process of
   a group; start, complete and wait are calls that such words let go on. Only the first and the last call of an epoch know its
   group or its target, so groups are kept from one to the other. */
#include "communicators.h"
#include "event_file.h"
#include "handle_map.h"
#include "operations.h"
#include "pages.h"

#include <string.h>

enum word { WORD_POST, WORD_COMPLETE };

/* The processes of an epoch. */
struct partners {
	uint32_t *ranks; /* in the window; 0: no such epoch is open */
	uint32_t count, room;
	uint32_t first; /* order of the first word, the others follow */
};
struct epochs {
	struct partners exposed;  /* from post to wait: who complete */
	struct partners accessed; /* from start to complete: who post */
};

static struct handle_map open_epochs = {.entry_size = sizeof(struct epochs)};
static uint64_t words_given, words_awaited;

static uint64_t window_of(const struct mpi_call *call)
{
	return mpi_handle(call->abi, mpi_argument(call, call->function->at.handle));
}

/* The upper half of a word's order: the window, and which word. */
static uint64_t kind_of(const struct mpi_call *call, enum word word)
{
	return (communicator_opened_number(window_of(call)) * 2 + word) << 32;
}

static void give(struct mpi_call *call, enum word word, const uint32_t *ranks, uint32_t count)
{
	uint64_t kind = kind_of(call, word);
	for (uint32_t i = 0; i < count; i++)
		*mpi_call_message(call) = (struct mpi_message){.role = ROLE_SIGNAL,
			.peer = ranks[i],
			.communicator = call->communicator,
			.order = kind | (uint32_t)mpi_next(&words_given)};
}

static void await(struct mpi_call *call, enum word word, const struct partners *partners)
{
	uint64_t kind = kind_of(call, word);
	for (uint32_t i = 0; i < partners->count; i++)
		*mpi_call_message(call) = (struct mpi_message){.role = ROLE_AWAIT,
			.peer = partners->ranks[i],
			.communicator = call->communicator,
			.order = kind | (partners->first + i)};
}

/* The ranks in the window that the processes of a group have, in the call's memory; their count, 0 if they are not known. */
static uint32_t ranks_of(struct mpi_call *call, uint32_t **ranks)
{
	uint64_t group = mpi_handle(call->abi, mpi_argument(call, call->function->at.group)), all = 0;
	int size = 0;
	if (MPI_ASK(MPI_Group_size, (long)group, (long)&size) != 0 || size <= 0)
		return 0;
	uint32_t *own = mpi_call_memory(call, 0, 2 * (size_t)size * sizeof *own);
	if (!own || MPI_ASK(MPI_Win_get_group, (long)window_of(call), (long)&all) != 0)
		return 0;
	*ranks = own + size;
	for (int i = 0; i < size; i++)
		own[i] = (uint32_t)i;
	int result = MPI_ASK(MPI_Group_translate_ranks, (long)group, size, (long)own,
		(long)mpi_handle_at(call->abi, &all, 0), (long)*ranks);
	MPI_ASK(MPI_Group_free, (long)&all);
	return result == 0 ? (uint32_t)size : 0;
}

/* Keeps the ranks for the call that ends the epoch. */
static void keep(struct partners *partners, const uint32_t *ranks, uint32_t count)
{
	if (count > partners->room) {
		pages_unmap(partners->ranks, partners->room * sizeof *ranks);
		uint32_t room = (uint32_t)(PAGE_UNIT / sizeof *ranks);
		partners->room = (count + room - 1) / room * room;
		partners->ranks = pages_map(partners->room * sizeof *ranks);
		partners->room = partners->ranks ? partners->room : 0;
	}
	partners->count = partners->ranks ? count : 0;
	if (partners->count)
		memcpy(partners->ranks, ranks, count * sizeof *ranks);
	partners->first = (uint32_t)words_awaited;
	for (uint32_t i = 0; i < partners->count; i++)
		mpi_next(&words_awaited);
}

static struct epochs *epochs_of(uint64_t window)
{
	struct epochs *found = handle_map_find(&open_epochs, window, 0);
	return found ? found : handle_map_add(&open_epochs, window, 0);
}

void epochs_close(uint64_t window)
{
	mpi_lock();
	struct epochs *found = handle_map_find(&open_epochs, window, 0);
	if (found) {
		pages_unmap(found->exposed.ranks, found->exposed.room * sizeof(uint32_t));
		pages_unmap(found->accessed.ranks, found->accessed.room * sizeof(uint32_t));
		handle_map_remove(&open_epochs, found);
	}
	mpi_unlock();
}

void epochs_forget(void)
{
	handle_map_clear(&open_epochs);
}

/* Opens an epoch of the call's group. */
static void open_epoch(struct mpi_call *call, bool exposed)
{
	uint32_t *ranks = 0, count = call->failed || !call->communicator ? 0 : ranks_of(call, &ranks);
	if (!count)
		return;
	mpi_lock();
	struct epochs *epochs = epochs_of(window_of(call));
	if (epochs)
		keep(exposed ? &epochs->exposed : &epochs->accessed, ranks, count);
	mpi_unlock();
	if (exposed)
		give(call, WORD_POST, ranks, count);
	else if (epochs)
		await(call, WORD_POST, &epochs->accessed);
}

void post_after(struct mpi_call *call)
{
	open_epoch(call, true);
}

void access_after(struct mpi_call *call)
{
	open_epoch(call, false);
}

/* Ends an epoch; a window has one of each kind at a time, and one thread ends it. */
static struct partners *close_epoch(const struct mpi_call *call, bool exposed)
{
	mpi_lock();
	struct epochs *epochs = handle_map_find(&open_epochs, window_of(call), 0);
	mpi_unlock();
	return !epochs || call->failed ? 0 : exposed ? &epochs->exposed : &epochs->accessed;
}

void complete_after(struct mpi_call *call)
{
	struct partners *partners = close_epoch(call, false);
	if (!partners)
		return;
	await(call, WORD_POST, partners);
	give(call, WORD_COMPLETE, partners->ranks, partners->count);
	partners->count = 0;
}

void exposed_after(struct mpi_call *call)
{
	struct partners *partners = close_epoch(call, true);
	if (call->function->at.flag)
		poll_after(call);
	if (!partners || call->poll)
		return;
	await(call, WORD_COMPLETE, partners);
	partners->count = 0;
}

/* One lock of a window, the release of one, or what waits for one. */
static void lock_message(struct mpi_call *call, enum mpi_role role, uint32_t tag)
{
	uint8_t peer = call->function->at.peer;
	if (call->failed || !call->communicator || (peer && mpi_int(call, peer) == call->abi->proc_null))
		return;
	*mpi_call_message(call) = (struct mpi_message){.role = role,
		.peer = peer ? (uint32_t)mpi_int(call, peer) : ANY_NUMBER,
		.tag = tag,
		.communicator = call->communicator,
		.order = communicator_opened_number(window_of(call)) << 32};
}

void lock_after(struct mpi_call *call)
{
	uint8_t type = call->function->at.lock;
	lock_message(call, ROLE_LOCK, type && mpi_int(call, type) == call->abi->lock_exclusive);
}

void flush_after(struct mpi_call *call)
{
	lock_message(call, ROLE_FLUSH, 0);
}

void unlock_after(struct mpi_call *call)
{
	lock_message(call, ROLE_UNLOCK, 0);
}
