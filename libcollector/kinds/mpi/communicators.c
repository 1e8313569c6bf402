/* SPDX-License-Identifier: Apache-2.0 */
/* The table of communicators, and the lines of log.xml that define them. */
#include "communicators.h"
#include "collector.h"
#include "event_log.h"
#include "handle_map.h"
#include "identity.h"
#include "operations.h"
#include "pages.h"
#include "sessions.h"
#include "text.h"

/* Numbers are never reused, for events of a freed communicator keep theirs; a program that makes and frees one in a loop needs
   room for millions. */
enum { CHUNK = 1024, CHUNKS = 4096 };

struct communicator {
	uint64_t made; /* communicators made from it by all of its processes */
	uint64_t collectives;
	uint64_t opened; /* windows and files */
	uint32_t rank, size, partners;
	bool inter;
};

struct opened {
	uint32_t communicator;
	uint64_t next; /* number of its next operation */
};

static struct handle_map numbers = {.entry_size = sizeof(uint32_t)}; /* handle -> number */
static struct handle_map opened = {.entry_size = sizeof(struct opened)};
/* Other threads read them without the lock: they never move. */
static struct communicator *chunks[CHUNKS];
static uint32_t count_used;
static uint64_t last_handle; /* what the last look-up gave; not with several threads */
static uint32_t last_number;
static uint32_t self;
static bool known; /* that there are communicators */

static struct communicator *at(uint32_t number)
{
	return &chunks[(number - 1) / CHUNK][(number - 1) % CHUNK];
}

static bool has_place(uint32_t index)
{
	if (index >= CHUNK * CHUNKS)
		return false;
	struct communicator **chunk = &chunks[index / CHUNK];
	if (!*chunk)
		*chunk = pages_map(CHUNK * sizeof **chunk);
	return *chunk;
}

/* A new number for a handle, 0 if there is no memory. One that is there already was freed where we did not see it. */
static uint32_t add(uint64_t handle)
{
	uint32_t *number = handle_map_find(&numbers, handle, 0);
	if (!has_place(count_used))
		return 0;
	if (!number)
		number = handle_map_add(&numbers, handle, 0);
	if (!number)
		return 0;
	if (handle == last_handle)
		last_handle = 0;
	return *number = ++count_used;
}

/* A communicator's group, or its remote one. The caller frees it. */
static bool group_of(uint64_t communicator, bool remote, uint64_t *group)
{
	*group = 0;
	return (remote ? MPI_ASK(MPI_Comm_remote_group, (long)communicator, (long)group)
		       : MPI_ASK(MPI_Comm_group, (long)communicator, (long)group)) == 0;
}

/* The rank in a group that rank 0 of another has; -1: none. Frees both. */
static int first_in(const struct mpi_abi *abi, uint64_t *group, uint64_t *wider)
{
	int zero = 0, found = -1;
	if (MPI_ASK(MPI_Group_translate_ranks, (long)mpi_handle_at(abi, group, 0), 1, (long)&zero,
		    (long)mpi_handle_at(abi, wider, 0), (long)&found) != 0)
		found = -1;
	MPI_ASK(MPI_Group_free, (long)group);
	MPI_ASK(MPI_Group_free, (long)wider);
	return found == abi->undefined ? -1 : found;
}

/* The process in MPI_COMM_WORLD that has rank 0 of a communicator; -1: it is in another world. */
static int leader_of(const struct mpi_abi *abi, uint64_t communicator, bool remote)
{
	uint64_t group, world;
	if (!group_of(communicator, remote, &group))
		return -1;
	if (mpi_world_group(abi, &world))
		return first_in(abi, &group, &world);
	MPI_ASK(MPI_Group_free, (long)&group);
	return -1;
}

/* The rank in the parent, which all processes of both have in common whatever world they are of. */
static int first_of(const struct mpi_abi *abi, uint64_t communicator, uint64_t parent, bool remote)
{
	uint64_t group, wider;
	if (!group_of(communicator, remote, &group))
		return -1;
	if (group_of(parent, remote, &wider))
		return first_in(abi, &group, &wider);
	MPI_ASK(MPI_Group_free, (long)&group);
	return -1;
}

struct definition {
	uint32_t number;
	int first, remote_first;   /* -1: not known, or none */
	int leader, remote_leader; /* the same */
	int remote_size;           /* -1: it is no intercommunicator */
};

static void log_known(struct log_line *line, const char *name, int number)
{
	if (number >= 0)
		log_number_attribute(line, name, (uint64_t)number);
}

static void log_identity(struct log_line *line, const char *name, uint64_t identity)
{
	if (identity)
		log_hex_attribute(line, name, identity);
}

static void log_definition(const struct definition *definition, const struct creation *creation)
{
	const struct communicator *communicator = at(definition->number);
	struct log_line *line = event_log_begin("mpi_communicator");
	if (!line)
		return;
	log_number_attribute(line, "number", definition->number);
	log_identity(line, "identity", creation->identity);
	if (creation->parent)
		log_number_attribute(line, "parent", creation->parent);
	log_identity(line, "made", creation->made);
	log_known(line, "first", definition->first);
	log_known(line, "remote_first", definition->remote_first);
	log_identity(line, "meeting", creation->meeting);
	if (creation->peer) {
		log_number_attribute(line, "peer", creation->peer);
		log_number_attribute(line, "peer_rank", creation->peer_rank);
	}
	if (creation->port)
		log_text_attribute(line, "port", creation->port);
	log_number_attribute(line, "rank", communicator->rank);
	log_number_attribute(line, "size", communicator->size);
	log_known(line, "leader", definition->leader);
	log_known(line, "remote_size", definition->remote_size);
	log_known(line, "remote_leader", definition->remote_leader);
	log_text_attribute(line, "made_by", creation->made_by);
	event_log_end(line, 0);
}

static void log_name(uint32_t number, const char *name)
{
	struct log_line *line = event_log_begin("mpi_name");
	if (!line)
		return;
	log_number_attribute(line, "number", number);
	event_log_end(line, name);
}

/* Asks the library about a communicator. */
static void ask(
	const struct mpi_abi *abi, uint64_t handle, const struct creation *creation, struct definition *definition)
{
	int rank = 0, size = 0, inter = 0;
	struct communicator *own = at(definition->number);
	MPI_ASK(MPI_Comm_rank, (long)handle, (long)&rank);
	MPI_ASK(MPI_Comm_size, (long)handle, (long)&size);
	MPI_ASK(MPI_Comm_test_inter, (long)handle, (long)&inter);
	own->rank = (uint32_t)rank;
	own->size = (uint32_t)size;
	own->inter = inter;
	definition->leader = leader_of(abi, handle, false);
	definition->remote_leader = definition->remote_size = definition->first = definition->remote_first = -1;
	if (inter) {
		MPI_ASK(MPI_Comm_remote_size, (long)handle, (long)&definition->remote_size);
		definition->remote_leader = leader_of(abi, handle, true);
	}
	bool of_inter = creation->parent && at(creation->parent)->inter;
	own->partners = inter ? (uint32_t)definition->remote_size : own->size;
	if (!creation->parent_handle || inter != of_inter)
		return;
	definition->first = first_of(abi, handle, creation->parent_handle, false);
	if (inter)
		definition->remote_first = first_of(abi, handle, creation->parent_handle, true);
}

static uint32_t define(const struct mpi_abi *abi, uint64_t handle, const struct creation *creation)
{
	struct definition definition = {.number = add(handle)};
	if (!definition.number)
		return 0;
	ask(abi, handle, creation, &definition);
	log_definition(&definition, creation);
	return definition.number;
}

uint32_t communicator_define(const struct mpi_abi *abi, uint64_t handle, const struct creation *creation)
{
	if (handle == abi->communicator_null || !handle || !known)
		return 0;
	mpi_lock();
	uint32_t number = define(abi, handle, creation);
	mpi_unlock();
	return number;
}

uint64_t communicator_next_made(uint32_t number)
{
	return number ? mpi_next(&at(number)->made) + 1 : 0;
}

uint32_t communicator_number(const struct mpi_abi *abi, long argument)
{
	uint64_t handle = mpi_handle(abi, argument);
	/* Programs use one communicator for long, so the last look-up answers most calls without the table. */
	if (!mpi_several_threads && handle == last_handle)
		return last_number;
	if (handle == abi->communicator_null || !handle || !known)
		return 0;
	mpi_lock();
	uint32_t *found = handle_map_find(&numbers, handle, 0);
	/* One that was never defined was made by a function that we did not see, or before recording began. */
	uint32_t number = found ? *found : define(abi, handle, &(struct creation){.made_by = ""});
	mpi_unlock();
	last_handle = handle;
	last_number = number;
	return number;
}

uint32_t communicator_size(uint32_t number)
{
	return number ? at(number)->size : 0;
}

uint32_t communicator_rank(uint32_t number)
{
	return number ? at(number)->rank : 0;
}

uint32_t communicator_partners(uint32_t number)
{
	return number ? at(number)->partners : 0;
}

bool communicator_is_inter(uint32_t number)
{
	return number && at(number)->inter;
}

uint32_t communicator_self_number(void)
{
	return self;
}

uint64_t communicator_next_collective(uint32_t number)
{
	return number ? mpi_next(&at(number)->collectives) : 0;
}

static uint32_t define_first(const struct mpi_abi *abi, uint64_t handle, uint64_t identity, const char *name)
{
	uint32_t number = define(abi, handle, &(struct creation){.identity = identity, .made_by = "MPI_Init"});
	if (number)
		log_name(number, name);
	return number;
}

bool communicators_begin(void)
{
	bool before = known;
	known = true;
	return before;
}

void communicators_start(const struct mpi_abi *abi, uint32_t rank, uint64_t job)
{
	uint64_t world = identity_mix(job, 1);
	known = true;
	define_first(abi, abi->communicator_world, world, "MPI_COMM_WORLD");
	self = define_first(abi, abi->communicator_self, identity_mix(world, rank + 2ull), "MPI_COMM_SELF");
}

void communicators_clear(void)
{
	handle_map_clear(&numbers);
	handle_map_clear(&opened);
	epochs_forget();
	for (uint32_t i = 0; i < CHUNKS && chunks[i]; i++) {
		pages_unmap(chunks[i], CHUNK * sizeof *chunks[i]);
		chunks[i] = 0;
	}
	count_used = last_number = self = 0;
	known = false;
	last_handle = 0;
}

void free_before(struct mpi_call *call)
{
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.communicator), 0);
	call->communicator = communicator_number(call->abi, (long)handle);
	call->order = communicator_next_collective(call->communicator);
	mpi_lock();
	/* The handle is forgotten before the library frees it: the next communicator may get this handle at once, even in another
	   thread. */
	uint32_t *number = handle_map_find(&numbers, handle, 0);
	if (number)
		handle_map_remove(&numbers, number);
	mpi_unlock();
	last_handle = 0;
	last_number = 0;
}

void set_name_after(struct mpi_call *call)
{
	call->communicator = communicator_number(call->abi, mpi_argument(call, call->function->at.communicator));
	if (!call->failed && call->communicator)
		log_name(call->communicator, (const char *)mpi_argument(call, call->function->at.name));
}

void communicator_opened(uint64_t handle, uint32_t communicator)
{
	if (!communicator)
		return;
	mpi_lock();
	struct opened *entry = handle_map_add(&opened, handle, 0);
	if (entry)
		*entry = (struct opened){communicator, ++at(communicator)->opened << 32};
	mpi_unlock();
}

uint32_t communicator_of(uint64_t handle, uint64_t *opened_number)
{
	mpi_lock();
	const struct opened *found = handle_map_find(&opened, handle, 0);
	if (opened_number)
		*opened_number = found ? found->next >> 32 : 0;
	uint32_t number = found ? found->communicator : 0;
	mpi_unlock();
	return number;
}

uint64_t communicator_next_opened(uint64_t handle)
{
	mpi_lock();
	struct opened *found = handle_map_find(&opened, handle, 0);
	uint64_t next = found ? found->next++ : 0;
	mpi_unlock();
	return next;
}

uint64_t communicator_opened_number(uint64_t handle)
{
	mpi_lock();
	const struct opened *found = handle_map_find(&opened, handle, 0);
	uint64_t number = found ? found->next >> 32 : 0;
	mpi_unlock();
	return number;
}

void communicator_closed(uint64_t handle)
{
	mpi_lock();
	struct opened *found = handle_map_find(&opened, handle, 0);
	if (found)
		handle_map_remove(&opened, found);
	mpi_unlock();
}
