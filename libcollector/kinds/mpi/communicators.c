/* SPDX-License-Identifier: Apache-2.0 */
/* The table of communicators, and the lines of log.xml that define them. */
#include "communicators.h"
#include "collector.h"
#include "event_log.h"
#include "handle_map.h"
#include "identity.h"
#include "operations.h"
#include "pages.h"
#include "text.h"

/* Numbers are never reused, for events of a freed communicator keep theirs; a program that makes and frees one in a loop needs
   room for millions. */
enum { CHUNK = 1024, CHUNKS = 4096 };

struct communicator {
	uint64_t identity; /* 0: not known to be the same in other processes */
	uint64_t made;     /* communicators made from it */
	uint64_t collectives;
	uint32_t rank, size;
};

static struct handle_map numbers = {.entry_size = sizeof(uint32_t)}; /* handle -> number */
static struct handle_map opened = {.entry_size = sizeof(uint32_t)};  /* window or file -> number */
/* Other threads read them without the lock: they never move. */
static struct communicator *chunks[CHUNKS];
static uint32_t count_used;
static uint64_t last_handle; /* what the last look-up gave; not with several threads */
static uint32_t last_number;
static uint32_t world_group_known;

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

/* A new number for a handle, 0 if there is no memory. */
static uint32_t add(uint64_t handle)
{
	if (!has_place(count_used))
		return 0;
	uint32_t *number = handle_map_add(&numbers, handle, 0);
	if (!number)
		return 0;
	return *number = ++count_used;
}

/* The process in MPI_COMM_WORLD that has rank 0 of a group; -1: it is in another world. */
static int leader_of(const struct mpi_abi *abi, uint64_t communicator, bool remote)
{
	uint64_t group = 0, world = 0;
	int zero = 0, leader = -1;
	int code = remote ? MPI_ASK(MPI_Comm_remote_group, (long)communicator, (long)&group)
			  : MPI_ASK(MPI_Comm_group, (long)communicator, (long)&group);
	if (code != 0)
		return -1;
	if (MPI_ASK(MPI_Comm_group, (long)abi->communicator_world, (long)&world) == 0) {
		if (MPI_ASK(MPI_Group_translate_ranks, (long)mpi_handle_at(abi, &group, 0), 1, (long)&zero,
			    (long)mpi_handle_at(abi, &world, 0), (long)&leader) != 0)
			leader = -1;
		MPI_ASK(MPI_Group_free, (long)&world);
	}
	MPI_ASK(MPI_Group_free, (long)&group);
	return leader == abi->undefined ? -1 : leader;
}

struct definition {
	uint32_t number, parent;
	int leader, remote_leader; /* -1: not known, or none */
	int remote_size;           /* -1: it is no intercommunicator */
	const char *made_by;
};

static void log_definition(const struct definition *definition)
{
	const struct communicator *communicator = at(definition->number);
	struct log_line *line = event_log_begin("mpi_communicator");
	if (!line)
		return;
	log_number_attribute(line, "number", definition->number);
	if (communicator->identity)
		log_hex_attribute(line, "identity", communicator->identity);
	if (definition->parent)
		log_number_attribute(line, "parent", definition->parent);
	log_number_attribute(line, "rank", communicator->rank);
	log_number_attribute(line, "size", communicator->size);
	if (definition->leader >= 0)
		log_number_attribute(line, "leader", (uint64_t)definition->leader);
	if (definition->remote_size >= 0)
		log_number_attribute(line, "remote_size", (uint64_t)definition->remote_size);
	if (definition->remote_leader >= 0)
		log_number_attribute(line, "remote_leader", (uint64_t)definition->remote_leader);
	log_text_attribute(line, "made_by", definition->made_by);
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
static void ask(const struct mpi_abi *abi, uint64_t handle, struct definition *definition)
{
	int rank = 0, size = 0, inter = 0;
	MPI_ASK(MPI_Comm_rank, (long)handle, (long)&rank);
	MPI_ASK(MPI_Comm_size, (long)handle, (long)&size);
	MPI_ASK(MPI_Comm_test_inter, (long)handle, (long)&inter);
	at(definition->number)->rank = (uint32_t)rank;
	at(definition->number)->size = (uint32_t)size;
	definition->leader = leader_of(abi, handle, false);
	definition->remote_leader = definition->remote_size = -1;
	if (inter) {
		MPI_ASK(MPI_Comm_remote_size, (long)handle, (long)&definition->remote_size);
		definition->remote_leader = leader_of(abi, handle, true);
	}
}

/* Both sides of an intercommunicator find the same. */
static uint64_t identity_of(uint64_t parent, uint64_t made, const struct definition *definition)
{
	/* The two sides know themselves as local and the other as remote: sorted, their leaders give both the same number. */
	uint64_t one = (uint64_t)definition->leader, other = (uint64_t)definition->remote_leader;
	if (definition->leader < 0 || (definition->remote_size >= 0 && definition->remote_leader < 0))
		return 0;
	if (definition->remote_size >= 0)
		return identity_mix(identity_mix(0x1A7E5, one < other ? one : other),
			identity_mix(one < other ? other : one, made));
	return parent ? identity_mix(identity_mix(parent, made), one) : 0;
}

/* One that was never defined: made by a function that we did not see, or before recording began. */
static uint32_t define_unknown(const struct mpi_abi *abi, uint64_t handle)
{
	uint32_t number = add(handle);
	struct definition definition = {.number = number, .made_by = ""};
	if (!number)
		return 0;
	ask(abi, handle, &definition);
	log_definition(&definition);
	return number;
}

uint32_t communicator_number(const struct mpi_abi *abi, long argument)
{
	uint64_t handle = mpi_handle(abi, argument);
	/* Programs use one communicator for long, so the last look-up answers most calls without the table. */
	if (!mpi_several_threads && handle == last_handle)
		return last_number;
	if (handle == abi->communicator_null || !handle || !world_group_known)
		return 0;
	mpi_lock();
	uint32_t *found = handle_map_find(&numbers, handle, 0);
	uint32_t number = found ? *found : define_unknown(abi, handle);
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

uint64_t communicator_next_collective(uint32_t number)
{
	return number ? mpi_next(&at(number)->collectives) : 0;
}

static void define_first(const struct mpi_abi *abi, uint64_t handle, uint64_t identity, const char *name)
{
	uint32_t number = add(handle);
	struct definition definition = {.number = number, .made_by = "MPI_Init"};
	if (!number)
		return;
	at(number)->identity = identity;
	ask(abi, handle, &definition);
	log_definition(&definition);
	log_name(number, name);
}

void communicators_start(const struct mpi_abi *abi, uint32_t rank, const char *job)
{
	uint64_t world = identity_mix(identity_of_text(job), 1);
	if (world_group_known)
		return;
	world_group_known = 1;
	define_first(abi, abi->communicator_world, world, "MPI_COMM_WORLD");
	define_first(abi, abi->communicator_self, identity_mix(world, rank + 2ull), "MPI_COMM_SELF");
}

void communicators_clear(void)
{
	handle_map_clear(&numbers);
	handle_map_clear(&opened);
	for (uint32_t i = 0; i < CHUNKS && chunks[i]; i++) {
		pages_unmap(chunks[i], CHUNK * sizeof *chunks[i]);
		chunks[i] = 0;
	}
	count_used = last_number = world_group_known = 0;
	last_handle = 0;
}

void create_before(struct mpi_call *call)
{
	uint8_t place = call->function->at.communicator;
	if (place)
		call->communicator = communicator_number(call->abi, mpi_argument(call, place));
}

void create_after(struct mpi_call *call)
{
	if (call->failed)
		return;
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.handle), 0);
	struct definition definition = {.parent = call->communicator, .made_by = call->function->name};
	uint64_t parent = 0, made = 0;
	mpi_lock();
	if (call->communicator) {
		parent = at(call->communicator)->identity;
		made = ++at(call->communicator)->made;
	}
	if (handle != call->abi->communicator_null && handle && !handle_map_find(&numbers, handle, 0)) {
		definition.number = add(handle);
		if (definition.number) {
			/* The library may not answer for one that is still being made; then it is asked later. */
			ask(call->abi, handle, &definition);
			at(definition.number)->identity = identity_of(parent, made, &definition);
			log_definition(&definition);
		}
	}
	mpi_unlock();
}

void free_before(struct mpi_call *call)
{
	uint64_t handle = mpi_handle_at(call->abi, (void *)mpi_argument(call, call->function->at.communicator), 0);
	call->communicator = communicator_number(call->abi, (long)handle);
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

void communicator_opened(const struct mpi_abi *abi, uint64_t handle, uint32_t communicator)
{
	(void)abi;
	mpi_lock();
	uint32_t *number = handle_map_add(&opened, handle, 0);
	if (number)
		*number = communicator;
	mpi_unlock();
}

uint32_t communicator_of(const struct mpi_abi *abi, uint64_t handle)
{
	(void)abi;
	mpi_lock();
	uint32_t *found = handle_map_find(&opened, handle, 0);
	uint32_t number = found ? *found : 0;
	mpi_unlock();
	return number;
}

void communicator_closed(uint64_t handle)
{
	mpi_lock();
	uint32_t *found = handle_map_find(&opened, handle, 0);
	if (found)
		handle_map_remove(&opened, found);
	mpi_unlock();
}
