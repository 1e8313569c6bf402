/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operation is found by its communicator and order; its parts are a list, and sorted by process when it ends. */
#include "mpi_operations.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The part of a process. */
struct part {
	uint32_t experiment, root; /* root: rank */
	uint32_t start, completion;
	uint32_t next;  /* of the operation, or of those that are free */
	bool completed; /* or needs not be */
	bool kept;      /* the filter: one of its events */
};
struct operation {
	uint32_t communicator, family, order; /* order: its lower half */
	uint32_t first, count, open;          /* parts, those that are not completed */
	uint32_t next;                        /* the next free one */
	unsigned char state;                  /* that all of them may be in; MPI_NO_OPERATION: none */
	bool used;
};
struct mpi_operations {
	struct mpi_open_calls *calls;
	const struct mpi_world *world;
	const struct mpi_function_roles *roles;
	struct number_map families; /* (communicator, upper half of the order) -> number */
	struct number_map numbers;  /* (family, lower half) -> operation */
	struct number_map later;    /* (operation, experiment) -> part that is to be completed */
	struct operation *array;
	struct part *parts;
	struct part *together; /* of the operation that ends, by experiment */
	uint32_t family_count, count, part_count, free, free_part, capacity;
};

struct mpi_operations *mpi_operations_begin(
	struct mpi_open_calls *calls, const struct mpi_world *world, const struct mpi_function_roles *roles)
{
	struct mpi_operations *operations = memory_new(1, sizeof *operations);
	*operations = (struct mpi_operations){
		.calls = calls, .world = world, .roles = roles, .free = NONE, .free_part = NONE};
	return operations;
}

static uint32_t family_of(struct mpi_operations *operations, uint32_t communicator, uint64_t order)
{
	uint32_t *family = number_map_place(&operations->families, number_pair(communicator, (uint32_t)(order >> 32)));
	return *family == NO_NUMBER ? (*family = operations->family_count++) : *family;
}

static uint32_t operation_of(
	struct mpi_operations *operations, uint32_t communicator, uint64_t order, unsigned char state)
{
	uint32_t family = family_of(operations, communicator, order);
	uint32_t *place = number_map_place(&operations->numbers, number_pair(family, (uint32_t)order));
	if (*place != NO_NUMBER)
		return *place;
	uint32_t number = operations->free;
	if (number == NONE) {
		operations->array = memory_room(operations->array, operations->count, sizeof *operations->array);
		number = operations->count++;
	} else {
		operations->free = operations->array[number].next;
	}
	/* The rules of the wait states are for one group. An intercommunicator has two, of which one side may only receive; nothing
	   is said of it rather than something wrong. */
	if (mpi_world_communicator(operations->world, communicator)->remote_size)
		state = MPI_NO_OPERATION;
	operations->array[number] = (struct operation){.communicator = communicator,
		.family = family,
		.order = (uint32_t)order,
		.first = NONE,
		.state = state,
		.used = true};
	return *place = number;
}

static uint32_t new_part(struct mpi_operations *operations, const struct part *part)
{
	uint32_t place = operations->free_part;
	if (place == NONE) {
		operations->parts = memory_room(operations->parts, operations->part_count, sizeof *operations->parts);
		place = operations->part_count++;
	} else {
		operations->free_part = operations->parts[place].next;
	}
	operations->parts[place] = *part;
	return place;
}

static int by_experiment(const void *left, const void *right, void *context)
{
	const struct part *a = left, *b = right;
	const struct mpi_open_calls *calls = context;
	return COMPARE(a->experiment, b->experiment)
		       ?: COMPARE(mpi_open_at(calls, a->start)->begin, mpi_open_at(calls, b->start)->begin);
}

/* Takes the operation's parts into `together`. */
static void gather(struct mpi_operations *operations, uint32_t number)
{
	const struct operation *operation = &operations->array[number];
	uint32_t count = 0;
	if (operation->count > operations->capacity) {
		operations->capacity = operation->count;
		operations->together =
			memory_resize(operations->together, operations->capacity, sizeof *operations->together);
	}
	for (uint32_t p = operation->first, next; p != NONE; p = next) {
		next = operations->parts[p].next;
		operations->together[count++] = operations->parts[p];
		if (!operations->parts[p].completed)
			number_map_take(&operations->later, number_pair(number, operations->parts[p].experiment));
		operations->parts[p].next = operations->free_part;
		operations->free_part = p;
	}
	if (count)
		qsort_r(operations->together, count, sizeof *operations->together, by_experiment, operations->calls);
}

/* The operation that ends. */
struct ending {
	struct mpi_operations *operations;
	const struct part *parts;
	uint32_t count, communicator;
	enum mpi_wait_state state;
};

static uint64_t begin_of(const struct ending *ending, const struct part *part)
{
	return mpi_open_at(ending->operations->calls, part->start)->begin;
}

static void offer(const struct ending *ending, const struct part *part, const struct part *late)
{
	struct mpi_open_calls *calls = ending->operations->calls;
	if (!late || late == part)
		return;
	struct mpi_late other = mpi_open_late(calls, late->start);
	mpi_open_offer(calls, part->completion, &other, ending->state, part->kept);
}

static const struct part *root_of(const struct ending *ending, const struct part *part)
{
	uint32_t root = mpi_world_member(ending->operations->world, ending->communicator, part->root);
	if (root == NO_EXPERIMENT)
		return 0;
	uint32_t found = FIRST_WHERE(i, ending->count, ending->parts[i].experiment >= root);
	return found < ending->count && ending->parts[found].experiment == root ? &ending->parts[found] : 0;
}

static const struct part *last_but(const struct ending *ending, const struct part *excepted)
{
	const struct part *last = 0;
	for (uint32_t i = 0; i < ending->count; i++) {
		const struct part *part = &ending->parts[i];
		if (part != excepted && (!last || begin_of(ending, part) > begin_of(ending, last)))
			last = part;
	}
	return last;
}

struct ranked {
	uint32_t rank;
	const struct part *part;
};

static int by_rank(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	return COMPARE(a->rank, b->rank);
}

static void offer_scan(const struct ending *ending)
{
	struct ranked *order = memory_new(ending->count, sizeof *order);
	const struct part *last = 0;
	for (uint32_t i = 0; i < ending->count; i++) {
		const struct part *part = &ending->parts[i];
		order[i] = (struct ranked){
			mpi_world_rank(ending->operations->world, ending->communicator, part->experiment), part};
	}
	qsort(order, ending->count, sizeof *order, by_rank);
	for (uint32_t i = 0; i < ending->count; i++) {
		offer(ending, order[i].part, last);
		if (!last || begin_of(ending, order[i].part) > begin_of(ending, last))
			last = order[i].part;
	}
	free(order);
}

static void offer_all(const struct ending *ending)
{
	const struct part *last = last_but(ending, 0), *root;
	if (ending->state == MPI_WAIT_early_scan) {
		offer_scan(ending);
		return;
	}
	for (uint32_t i = 0; i < ending->count; i++) {
		const struct part *part = &ending->parts[i];
		switch (ending->state) {
		case MPI_WAIT_late_broadcast:
			offer(ending, part, root_of(ending, part));
			break;
		case MPI_WAIT_early_reduce:
			root = root_of(ending, part);
			if (part == root)
				offer(ending, part, last_but(ending, root));
			break;
		default:
			offer(ending, part, last);
		}
	}
}

static void end_operation(struct mpi_operations *operations, uint32_t number)
{
	struct operation *operation = &operations->array[number];
	gather(operations, number);
	const struct ending ending = {operations, operations->together, operation->count, operation->communicator,
		(enum mpi_wait_state)operation->state};
	if (operation->state < MPI_WAIT_STATES && operation->count > 1)
		offer_all(&ending);
	for (uint32_t i = 0; i < operation->count; i++) {
		mpi_open_release(operations->calls, operations->together[i].start);
		mpi_open_release(operations->calls, operations->together[i].completion);
	}
	number_map_take(&operations->numbers, number_pair(operation->family, operation->order));
	operation->used = false;
	operation->next = operations->free;
	operations->free = number;
}

static void end_if_complete(struct mpi_operations *operations, uint32_t number)
{
	const struct operation *operation = &operations->array[number];
	uint32_t members = mpi_world_communicator(operations->world, operation->communicator)->members;
	if (operation->count >= members && !operation->open)
		end_operation(operations, number);
}

void mpi_operations_part(struct mpi_operations *operations, const struct mpi_event *event)
{
	uint32_t communicator = mpi_world_find(operations->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	uint32_t call = mpi_open_call(operations->calls, event, false);
	struct mpi_function_role role =
		mpi_function_role(operations->roles, event->experiment, mpi_open_at(operations->calls, call)->function);
	uint32_t number = operation_of(operations, communicator, FIELD(event, order), role.state);
	mpi_open_hold(operations->calls, call);
	uint32_t place = new_part(operations, &(struct part){.experiment = event->experiment,
						      .root = (uint32_t)FIELD(event, peer),
						      .start = call,
						      .completion = call,
						      .next = operations->array[number].first,
						      .completed = !role.begins,
						      .kept = event->kept});
	struct operation *operation = &operations->array[number];
	if (role.state != operation->state)
		operation->state = MPI_NO_OPERATION;
	if (role.begins)
		*number_map_place(&operations->later, number_pair(number, event->experiment)) = place;
	operation->first = place;
	operation->count++;
	operation->open += role.begins;
	end_if_complete(operations, number);
}

void mpi_operations_completed(struct mpi_operations *operations, const struct mpi_event *event)
{
	uint32_t communicator = mpi_world_find(operations->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	uint64_t order = FIELD(event, order);
	uint32_t number = number_map_find(
		&operations->numbers, number_pair(family_of(operations, communicator, order), (uint32_t)order));
	uint32_t place = number == NO_NUMBER
				 ? NO_NUMBER
				 : number_map_take(&operations->later, number_pair(number, event->experiment));
	if (place == NO_NUMBER)
		return;
	struct part *part = &operations->parts[place];
	mpi_open_release(operations->calls, part->completion);
	part->completion = mpi_open_call(operations->calls, event, true);
	part->completed = true;
	part->kept |= event->kept;
	operations->array[number].open--;
	end_if_complete(operations, number);
}

void mpi_operations_end(struct mpi_operations *operations)
{
	for (uint32_t i = 0; i < operations->count; i++)
		if (operations->array[i].used)
			end_operation(operations, i);
	number_map_free(&operations->families);
	number_map_free(&operations->numbers);
	number_map_free(&operations->later);
	free(operations->array);
	free(operations->parts);
	free(operations->together);
	free(operations);
}
