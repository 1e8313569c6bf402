/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a collective operation: as if each process gave its piece to each other that gets it, and to itself, if it does not
   work in place. So the bytes given by all processes are as many as those that all get, whatever way the library takes; Score-P
   counts in this way. A count, a type or a buffer that means nothing at a rank may be anything there, and is not looked at. */
#include "collective_bytes.h"
#include "communicators.h"
#include "operations.h"

enum { SEND_BUFFER = 1, DIMENSIONS = 32 };

/* Where the arguments are that tell the pieces which a rank gives, or those that it gets. */
struct pieces {
	uint8_t count, counts, type, types;
};

/* Partners that are nobody: a bit for each of the first ones. */
typedef uint64_t nobody;

static struct pieces given(const struct mpi_places *at)
{
	return (struct pieces){at->count, at->counts, at->type, at->types};
}

static struct pieces got(const struct mpi_places *at)
{
	if (!at->receive_type && !at->receive_types)
		return given(at);
	return (struct pieces){at->receive_count, at->receive_counts, at->receive_type, at->receive_types};
}

static uint64_t elements(const struct mpi_call *call, struct pieces pieces, uint32_t partner)
{
	if (!pieces.counts)
		return mpi_count(call, pieces.count);
	const void *counts = (const void *)mpi_argument(call, pieces.counts);
	int64_t count =
		call->function->large ? ((const int64_t *)counts)[partner] : (int64_t)((const int *)counts)[partner];
	return count > 0 ? (uint64_t)count : 0;
}

static uint64_t one(const struct mpi_call *call, struct pieces pieces, uint32_t partner)
{
	long type = pieces.types
			    ? (long)mpi_handle_at(call->abi, (const void *)mpi_argument(call, pieces.types), partner)
			    : mpi_argument(call, pieces.type);
	return mpi_bytes(call, type, elements(call, pieces, partner));
}

static uint64_t all_but(const struct mpi_call *call, struct pieces pieces, uint32_t partners, nobody absent)
{
	uint64_t sum = 0;
	if (!pieces.counts)
		return (partners - (uint32_t)__builtin_popcountll(absent)) * one(call, pieces, 0);
	/* The library is asked for the size of each type, so that of one type for all is asked for once. */
	for (uint32_t i = 0; i < partners; i++)
		if (i >= 64 || !(absent >> i & 1))
			sum += pieces.types ? one(call, pieces, i) : elements(call, pieces, i);
	return pieces.types ? sum : mpi_bytes(call, mpi_argument(call, pieces.type), sum);
}

static uint64_t all(const struct mpi_call *call, struct pieces pieces, uint32_t partners)
{
	return all_but(call, pieces, partners, 0);
}

static bool in_place(const struct mpi_call *call, uint8_t buffer)
{
	return (uint64_t)mpi_argument(call, buffer) == call->abi->in_place;
}

struct bytes {
	uint64_t of_one, of_all; /* of the process at one end, and of those at the other */
};

/* The root's pieces are those of `many`, the others' that of `single`. `buffer`: where the root says that it works in place; 0: it
   cannot. */
static struct bytes rooted(const struct mpi_call *call, struct pieces single, struct pieces many, uint8_t buffer)
{
	int root = mpi_int(call, call->function->at.peer);
	uint32_t me = communicator_rank(call->communicator), partners = communicator_partners(call->communicator);
	if (communicator_is_inter(call->communicator)) {
		if (root == call->abi->root)
			return (struct bytes){0, all(call, many, partners)};
		return (struct bytes){root == call->abi->proc_null ? 0 : one(call, single, 0), 0};
	}
	if ((uint32_t)root != me)
		return (struct bytes){one(call, single, 0), 0};
	uint64_t own = one(call, many, me), whole = all(call, many, partners);
	return buffer && in_place(call, buffer) ? (struct bytes){0, whole - own} : (struct bytes){own, whole};
}

static void to_one(const struct mpi_call *call, struct mpi_message *message)
{
	const struct mpi_places *at = &call->function->at;
	struct bytes bytes = rooted(call, given(at), got(at), SEND_BUFFER);
	message->sent = bytes.of_one;
	message->received = bytes.of_all;
}

/* MPI_Bcast has one buffer, and no place of another one. */
static void from_one(const struct mpi_call *call, struct mpi_message *message)
{
	const struct mpi_places *at = &call->function->at;
	struct bytes bytes = rooted(call, got(at), given(at), at->receive_type ? (uint8_t)(at->receive_count - 1) : 0);
	message->sent = bytes.of_all;
	message->received = bytes.of_one;
}

static void to_all(const struct mpi_call *call, struct mpi_message *message)
{
	struct pieces out = given(&call->function->at), in = got(&call->function->at);
	uint32_t partners = communicator_partners(call->communicator), me = communicator_rank(call->communicator);
	message->received = all(call, in, partners);
	if (!in_place(call, SEND_BUFFER)) {
		message->sent = all(call, out, partners);
		return;
	}
	uint64_t own = one(call, in, me);
	message->received -= own;
	/* In place, what goes to each is what comes from it, or the own piece where there is one for all. */
	message->sent = out.counts ? message->received : own * (partners - 1);
}

/* The counts are those of the results: of this rank's whole vector, and of all ranks' parts for it. */
static void shares(const struct mpi_call *call, struct mpi_message *message)
{
	struct pieces results = given(&call->function->at);
	uint32_t me = communicator_rank(call->communicator);
	uint64_t own = one(call, results, me), kept = in_place(call, SEND_BUFFER) ? own : 0;
	message->sent = all(call, results, communicator_size(call->communicator)) - kept;
	message->received = own * communicator_partners(call->communicator) - kept;
}

/* A rank's piece goes to itself and to all later ones. */
static void scan(const struct mpi_call *call, struct mpi_message *message, bool itself)
{
	uint64_t own = one(call, given(&call->function->at), 0), me = communicator_rank(call->communicator);
	message->sent = own * (communicator_size(call->communicator) - 1 - me + itself);
	message->received = own * (me + itself);
}

struct neighbors {
	int in, out;
	nobody absent; /* on both sides */
};

/* Beyond the edge of a grid that does not close, there is nobody. */
static struct neighbors of_grid(const struct mpi_call *call, long communicator)
{
	struct neighbors found = {0};
	int dimensions = 0;
	MPI_ASK(MPI_Cartdim_get, communicator, (long)&dimensions);
	for (int i = 0; i < dimensions && i < DIMENSIONS; i++) {
		int before = 0, after = 0;
		MPI_ASK(MPI_Cart_shift, communicator, i, 1, (long)&before, (long)&after);
		found.absent |= (nobody)(before == call->abi->proc_null) << (2 * i);
		found.absent |= (nobody)(after == call->abi->proc_null) << (2 * i + 1);
	}
	found.in = found.out = 2 * dimensions;
	return found;
}

static struct neighbors neighbors_of(const struct mpi_call *call)
{
	long communicator = (long)mpi_handle(call->abi, mpi_argument(call, call->function->at.communicator));
	struct neighbors found = {0};
	int topology = 0, weighted = 0;
	MPI_ASK(MPI_Topo_test, communicator, (long)&topology);
	if (topology == call->abi->grid)
		return of_grid(call, communicator);
	if (topology == call->abi->graph) {
		MPI_ASK(MPI_Graph_neighbors_count, communicator, communicator_rank(call->communicator),
			(long)&found.in);
		found.out = found.in;
		return found;
	}
	MPI_ASK(MPI_Dist_graph_neighbors_count, communicator, (long)&found.in, (long)&found.out, (long)&weighted);
	return found;
}

static void to_neighbors(const struct mpi_call *call, struct mpi_message *message)
{
	struct neighbors neighbors = neighbors_of(call);
	const struct mpi_places *at = &call->function->at;
	message->sent = all_but(call, given(at), (uint32_t)neighbors.out, neighbors.absent);
	message->received = all_but(call, got(at), (uint32_t)neighbors.in, neighbors.absent);
}

void collective_bytes(const struct mpi_call *call, struct mpi_message *message)
{
	if (!call->communicator)
		return;
	switch (call->function->at.flow) {
	case FLOW_NONE:
		return;
	case FLOW_TO_ONE:
		return to_one(call, message);
	case FLOW_FROM_ONE:
		return from_one(call, message);
	case FLOW_TO_ALL:
		return to_all(call, message);
	case FLOW_SHARES:
		return shares(call, message);
	case FLOW_SCAN:
		return scan(call, message, !in_place(call, SEND_BUFFER));
	case FLOW_EXSCAN:
		return scan(call, message, false);
	case FLOW_NEIGHBORS:
		return to_neighbors(call, message);
	}
}
