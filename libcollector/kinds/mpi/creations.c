/* SPDX-License-Identifier: Apache-2.0 */
/* The making of communicators. All processes of a new one have to note the same of it without a word between them: how many
   their common parent made before, or the ranks and the tag by which a group met. Two groups that have nothing in common know each
   other by what only their leaders know, which then stands in the leaders' logs. */
#include "creations.h"
#include "collector.h"
#include "communicators.h"
#include "descriptor_objects.h"
#include "handle_map.h"
#include "identity.h"
#include "operations.h"
#include "sessions.h"
#include "target_memory.h"
#include <string.h>

/* They keep apart what is made in different ways. */
enum { MADE_GROUP = 0x6709, MADE_SESSION = 0x5e55, MEETING_LEADERS = 0x3ee7, MEETING_SOCKET = 0x50c8 };

static struct handle_map repeated = {.entry_size = sizeof(uint64_t)}; /* hash of a making -> how many there were */

void creations_clear(void)
{
	handle_map_clear(&repeated);
}

static uint64_t handle_made(const struct mpi_call *call)
{
	return mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.handle), 0);
}

static uint64_t parent_handle(const struct mpi_call *call)
{
	return mpi_handle(call->abi, mpi_argument(call, call->function->at.communicator));
}

/* Counts one more of those that are made alike: all of their processes make them in the same order. */
static uint64_t count_like(uint64_t hash)
{
	uint64_t number = 0;
	mpi_lock();
	uint64_t *count = handle_map_find(&repeated, hash, 0);
	if (!count)
		count = handle_map_add(&repeated, hash, 0);
	if (count)
		number = ++*count;
	mpi_unlock();
	return number;
}

/* A hash of the ranks in another group that a group's processes have, in their order; 0: not known. */
static uint64_t hash_of_group(struct mpi_call *call, uint64_t group, uint64_t wider)
{
	int size = 0;
	if (MPI_ASK(MPI_Group_size, (long)group, (long)&size) != 0 || size <= 0)
		return 0;
	int *ranks = mpi_call_memory(call, 0, 2 * (size_t)size * sizeof *ranks);
	if (!ranks)
		return 0;
	for (int i = 0; i < size; i++)
		ranks[i] = i;
	if (MPI_ASK(MPI_Group_translate_ranks, (long)group, size, (long)ranks, (long)wider, (long)(ranks + size)) != 0)
		return 0;
	uint64_t hash = (uint64_t)size;
	for (int i = size; i < 2 * size; i++)
		hash = identity_mix(hash, (uint64_t)ranks[i]);
	return hash;
}

void create_before(struct mpi_call *call)
{
	call->communicator = communicator_number(call->abi, mpi_argument(call, call->function->at.communicator));
}

/* All processes of one communicator make the new one: of the parent, or where that is not one group, of the new one. */
static void define(struct mpi_call *call, const struct creation *creation, bool by_parent)
{
	uint32_t number = communicator_define(call->abi, handle_made(call), creation);
	uint32_t all =
		by_parent && !(number && communicator_is_inter(creation->parent) && !communicator_is_inter(number))
			? creation->parent
			: number;
	if (all)
		mpi_together(call, all, communicator_next_collective(all));
}

void create_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	const struct creation creation = {.parent = call->communicator,
		.parent_handle = parent_handle(call),
		.made = communicator_next_made(call->communicator),
		.made_by = call->function->name};
	define(call, &creation, true);
}

void create_later_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	uint64_t order = communicator_next_collective(call->communicator);
	uint64_t made_as = communicator_next_made(call->communicator);
	mpi_together(call, call->communicator, order);
	request_add(call, .role = ROLE_COLLECTIVE, .active = true, .communicator = call->communicator, .order = order,
		.made_as = made_as, .made = (void *)mpi_argument(call, call->function->at.handle),
		.made_by = call->function->name);
}

void creation_complete(const struct mpi_call *call, const struct request *request)
{
	uint64_t handle = 0;
	size_t size = call->abi->handle_mask == UINT32_MAX ? sizeof(uint32_t) : sizeof handle;
	/* The variable may be gone where the end of another request with this handle was taken for this one's. */
	if (target_memory_read(request->made, size, &handle) != size)
		return;
	const struct creation creation = {
		.parent = request->communicator, .made = request->made_as, .made_by = request->made_by};
	communicator_define(call->abi, mpi_handle_at(call->abi, &handle, 0), &creation);
}

/* Processes of the parent that are not in the group know nothing of it: its communicators are not counted with the others. */
void create_group_after(struct mpi_call *call)
{
	uint64_t whole = 0, group = mpi_handle(call->abi, mpi_argument(call, call->function->at.group)), hash = 0;
	struct creation creation = {.parent = call->communicator, .made_by = call->function->name};
	if (call->failed)
		return;
	if (MPI_ASK(MPI_Comm_group, (long)parent_handle(call), (long)&whole) == 0) {
		hash = hash_of_group(call, group, mpi_handle_at(call->abi, &whole, 0));
		MPI_ASK(MPI_Group_free, (long)&whole);
	}
	if (hash) {
		hash = identity_mix(identity_mix(MADE_GROUP, hash), (uint32_t)mpi_int(call, call->function->at.tag));
		creation.made = identity_mix(hash, count_like(identity_mix(hash, call->communicator)));
	}
	define(call, &creation, false);
}

/* Without a parent the processes have the tag and their ranks in the world in common; the remote group only the leader knows. */
void create_from_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	struct creation creation = {.made_by = call->function->name};
	uint64_t world, local = 0, remote = 0, tag = identity_of_text((const char *)mpi_argument(call, at->name));
	long group = (long)mpi_handle(call->abi, mpi_argument(call, at->group));
	int rank = -1;
	if (call->failed)
		return;
	if (mpi_world_group(call->abi, &world)) {
		uint64_t wider = mpi_handle_at(call->abi, &world, 0);
		local = hash_of_group(call, (uint64_t)group, wider);
		if (at->other && MPI_ASK(MPI_Group_rank, group, (long)&rank) == 0 && rank == mpi_int(call, at->source))
			remote = hash_of_group(call, mpi_handle(call->abi, mpi_argument(call, at->other)), wider);
		MPI_ASK(MPI_Group_free, (long)&world);
	}
	if (local) {
		uint64_t made = identity_mix(identity_mix(MADE_SESSION, mpi_job_identity()), identity_mix(local, tag));
		creation.made = identity_mix(made, count_like(made));
	}
	if (local && remote) {
		uint64_t both = identity_mix(local < remote ? local : remote, local < remote ? remote : local);
		uint64_t meeting =
			identity_mix(identity_mix(MEETING_LEADERS, mpi_job_identity()), identity_mix(both, tag));
		creation.meeting = identity_mix(meeting, count_like(meeting));
	}
	define(call, &creation, false);
}

void meet_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	struct creation creation = {.parent = call->communicator, .made_by = call->function->name};
	if (call->failed)
		return;
	creation.made = communicator_next_made(call->communicator);
	/* Nobody else has to give the arguments that lead to the other side. */
	if (communicator_rank(call->communicator) == (uint32_t)mpi_int(call, at->source)) {
		creation.peer = communicator_number(call->abi, mpi_argument(call, at->other));
		creation.peer_rank = (uint32_t)mpi_int(call, at->peer);
		creation.meeting = identity_mix(MEETING_LEADERS, (uint32_t)mpi_int(call, at->tag));
	}
	define(call, &creation, true);
}

void connect_after(struct mpi_call *call)
{
	const struct mpi_places *at = &call->function->at;
	struct creation creation = {.parent = call->communicator, .made_by = call->function->name};
	if (call->failed)
		return;
	creation.made = communicator_next_made(call->communicator);
	if (communicator_rank(call->communicator) == (uint32_t)mpi_int(call, at->peer))
		creation.port = (const char *)mpi_argument(call, at->name);
	define(call, &creation, true);
}

void join_before(struct mpi_call *call)
{
	/* Both ends of a connection have the same number but for the last bit. */
	call->order = descriptor_object_learn(mpi_int(call, call->function->at.descriptor));
}

void join_after(struct mpi_call *call)
{
	struct creation creation = {.parent = communicator_self_number(), .made_by = call->function->name};
	if (call->failed)
		return;
	creation.made = communicator_next_made(creation.parent);
	if (object_read(call->order)) {
		uint64_t meeting = identity_mix(MEETING_SOCKET, call->order & ~(uint64_t)1);
		/* A socket that is joined again meets again. */
		creation.meeting = identity_mix(meeting, count_like(meeting));
	}
	define(call, &creation, true);
}
