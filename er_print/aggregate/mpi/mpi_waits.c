/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each message and each collective operation offers its calls a wait; a call keeps one of them. */
#include "mpi_waits.h"
#include "mpi_arrivals.h"
#include "mpi_locks.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The role of a function: the wait state that its calls may be in, or one of these. */
enum { NO_OPERATION = MPI_WAIT_STATES, WAITS_FOR_FIRST };

struct finder {
	const struct mpi_trace *trace;
	unsigned char **functions; /* by experiment and function: its role */
	const struct data *data;
	struct offer {
		uint64_t time, end;
		uint32_t late;
		unsigned char state; /* MPI_WAIT_STATES: none yet */
		bool kept;
	} * offers; /* by call */
};

const char *mpi_wait_title(enum mpi_wait_state state)
{
	static const char *const titles[] = {
#define WAIT(name, title) title,
#include "mpi_wait_states.def"
#include "search.h"
	};
	return titles[state];
}

static unsigned char role_of_class(const char *class)
{
	static const struct {
		const char *class;
		unsigned char role;
	} classes[] = {
#define CLASS(name, wait) {name, MPI_WAIT_##wait},
#include "mpi_wait_states.def"
	};
	for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(classes[i].class, class))
			return classes[i].role;
	return NO_OPERATION;
}

static unsigned char role_of_function(const char *name, const char *class)
{
	static const struct {
		const char *name;
		unsigned char role;
	} operations[] = {
#define OPERATION(name, wait) {#name, MPI_WAIT_##wait},
#include "mpi_wait_states.def"
		{"waitsome", WAITS_FOR_FIRST},
		{"testsome", WAITS_FOR_FIRST},
	};
	size_t length;
	if (strncmp(name, "MPI_", 4) != 0)
		return NO_OPERATION;
	/* MPI_Ibcast waits as MPI_Bcast does, and MPI_Bcast_c, with large counts, too. MPI_Init and MPI_Intercomm_create are in no
	   list, so that their I does no harm. */
	name += name[4] == 'I' ? 5 : 4;
	length = strlen(name);
	if (length > 2 && !strcmp(name + length - 2, "_c"))
		length -= 2;
	for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
		if (strlen(operations[i].name) == length && !strncasecmp(name, operations[i].name, length))
			return operations[i].role;
	return role_of_class(class);
}

static void read_functions(struct finder *finder)
{
	finder->functions = memory_new(finder->data->experiment_count, sizeof *finder->functions);
	for (uint32_t e = 0; e < finder->data->experiment_count; e++) {
		const struct experiment *file = finder->data->experiments[e].file;
		finder->functions[e] = memory_new(file->mpi_function_count, 1);
		for (unsigned f = 0; f < file->mpi_function_count; f++)
			finder->functions[e][f] =
				role_of_function(file->mpi_functions[f].name, file->mpi_functions[f].class);
	}
}

static unsigned char role_of_call(const struct finder *finder, uint32_t call)
{
	const struct mpi_trace_call *own = &finder->trace->calls[call];
	const struct experiment *file = finder->data->experiments[own->experiment].file;
	return own->function < file->mpi_function_count ? finder->functions[own->experiment][own->function]
							: NO_OPERATION;
}

static void offer_time(
	struct finder *finder, uint32_t call, uint32_t late, enum mpi_wait_state state, bool kept, uint64_t inside)
{
	const struct mpi_trace_call *own = &finder->trace->calls[call];
	uint64_t until = finder->trace->calls[late].begin;
	uint64_t end = until < own->end ? until : own->end, time = end > own->begin ? end - own->begin : 0;
	struct offer *best = &finder->offers[call];
	/* MPI_Waitsome and its like return when the first request is complete, MPI_Waitall when the last one is: the shortest or
	   the longest wait held the call up. */
	bool better = best->state == MPI_WAIT_STATES ||
		      (role_of_call(finder, call) == WAITS_FOR_FIRST ? end < best->end : end > best->end);
	if (!better)
		return;
	/* Calls that asked in vain were not all of the time between the first and the last. */
	if (inside < own->end - own->begin)
		time = (uint64_t)((double)time * (double)inside / (double)(own->end - own->begin));
	*best = (struct offer){time, end, late, (unsigned char)state, kept};
}

static uint64_t inside_of(const struct mpi_trace *trace, uint32_t polls)
{
	const struct mpi_polls *all = trace->polls;
	uint32_t found = FIRST_WHERE(i, trace->polls_count, all[i].call >= polls);
	return found < trace->polls_count && all[found].call == polls ? all[found].inside : UINT64_MAX;
}

/* `call` waited for what happened when `late` began, and so did those that asked in vain before it. */
static void offer(
	struct finder *finder, uint32_t call, uint32_t polls, uint32_t late, enum mpi_wait_state state, bool kept)
{
	offer_time(finder, call, late, state, kept, UINT64_MAX);
	if (polls != NO_CALL)
		offer_time(finder, polls, late, state, kept, inside_of(finder->trace, polls));
}

/* Receives first: where one call sends and receives, and its partner is late with both, the sender is. */
static void offer_messages(struct finder *finder)
{
	const struct mpi_trace *trace = finder->trace;
	for (uint32_t r = 0; r < trace->receive_count; r++) {
		const struct mpi_side *receive = &trace->receives[r];
		if (receive->partner != NO_MESSAGE)
			offer(finder, receive->completion, receive->polls, trace->sends[receive->partner].start,
				MPI_WAIT_late_sender, receive->kept);
	}
	for (uint32_t p = 0; p < trace->probe_count; p++) {
		const struct mpi_side *probe = &trace->probes[p];
		uint32_t send = probe->partner == NO_MESSAGE ? NO_MESSAGE : trace->receives[probe->partner].partner;
		if (send != NO_MESSAGE)
			offer(finder, probe->start, probe->polls, trace->sends[send].start, MPI_WAIT_late_sender,
				probe->kept);
	}
	for (uint32_t s = 0; s < trace->send_count; s++) {
		const struct mpi_side *send = &trace->sends[s];
		if (send->partner == NO_MESSAGE)
			continue;
		uint32_t late = trace->receives[send->partner].start;
		/* A send that ended before had its bytes in a buffer, and waited for nobody. */
		if (trace->calls[send->completion].end > trace->calls[late].begin)
			offer(finder, send->completion, send->polls, late, MPI_WAIT_late_receiver, send->kept);
	}
}

/* As offer(), of a call that may have gone on before. */
static void offer_if_held_up(
	struct finder *finder, uint32_t call, uint32_t polls, uint32_t late, enum mpi_wait_state state, bool kept)
{
	const struct mpi_trace_call *calls = finder->trace->calls;
	if (calls[call].end > calls[late].begin)
		offer(finder, call, polls, late, state, kept);
}

static void offer_words(struct finder *finder)
{
	const struct mpi_trace *trace = finder->trace;
	for (uint32_t a = 0; a < trace->await_count; a++) {
		const struct mpi_side *await = &trace->awaits[a];
		unsigned char state = role_of_call(finder, await->start);
		if (await->partner == NO_MESSAGE || state >= MPI_WAIT_STATES)
			continue;
		uint32_t late = trace->signals[await->partner].start;
		offer_if_held_up(finder, await->start, await->polls, late, (enum mpi_wait_state)state, await->kept);
		if (await->completion != await->start)
			offer_if_held_up(
				finder, await->completion, NO_CALL, late, (enum mpi_wait_state)state, await->kept);
	}
}

static void offer_locks(struct finder *finder)
{
	const struct mpi_trace *trace = finder->trace;
	uint32_t *before = mpi_locks_before(trace);
	for (uint32_t l = 0; l < trace->lock_count; l++) {
		const struct mpi_lock *lock = &trace->locks[l];
		if (before[l] == NO_CALL)
			continue;
		offer_if_held_up(finder, lock->start, NO_CALL, before[l], MPI_WAIT_lock, lock->kept);
		if (lock->completion != NO_CALL)
			offer_if_held_up(finder, lock->completion, NO_CALL, before[l], MPI_WAIT_lock, lock->kept);
	}
	for (uint32_t f = 0; f < trace->flush_count; f++) {
		const struct mpi_flush *flush = &trace->flushes[f];
		if (before[flush->lock] != NO_CALL)
			offer_if_held_up(finder, flush->call, NO_CALL, before[flush->lock], MPI_WAIT_lock,
				trace->locks[flush->lock].kept);
	}
	free(before);
}

/* The parts that processes have in one operation. */
struct operation {
	const struct mpi_part *parts;
	uint32_t count;
	enum mpi_wait_state state;
};

static uint32_t experiment_of(const struct finder *finder, const struct mpi_part *part)
{
	return finder->trace->calls[part->start].experiment;
}

static uint64_t begin_of(const struct finder *finder, const struct mpi_part *part)
{
	return finder->trace->calls[part->start].begin;
}

static const struct mpi_part *part_of(
	const struct finder *finder, const struct operation *operation, uint32_t experiment)
{
	uint32_t low = FIRST_WHERE(i, operation->count, experiment_of(finder, &operation->parts[i]) >= experiment);
	bool found = low < operation->count && experiment_of(finder, &operation->parts[low]) == experiment;
	return found ? &operation->parts[low] : 0;
}

static const struct mpi_part *root_of(
	const struct finder *finder, const struct operation *operation, const struct mpi_part *part)
{
	uint32_t root = mpi_world_member(finder->trace->world, part->communicator, part->root);
	return root == NO_EXPERIMENT ? 0 : part_of(finder, operation, root);
}

static void offer_part(struct finder *finder, const struct operation *operation, const struct mpi_part *part,
	const struct mpi_part *late)
{
	if (late && late != part)
		offer(finder, part->completion, part->polls, late->start, operation->state, part->kept);
}

static const struct mpi_part *last_but(
	const struct finder *finder, const struct operation *operation, const struct mpi_part *excepted)
{
	const struct mpi_part *last = 0;
	for (uint32_t i = 0; i < operation->count; i++) {
		const struct mpi_part *part = &operation->parts[i];
		if (part != excepted && (!last || begin_of(finder, part) > begin_of(finder, last)))
			last = part;
	}
	return last;
}

struct ranked {
	uint32_t rank;
	const struct mpi_part *part;
};

static int by_rank(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	return COMPARE(a->rank, b->rank);
}

static void offer_scan(struct finder *finder, const struct operation *operation)
{
	struct ranked *order = memory_new(operation->count, sizeof *order);
	const struct mpi_part *last = 0;
	for (uint32_t i = 0; i < operation->count; i++) {
		const struct mpi_part *part = &operation->parts[i];
		uint32_t experiment = experiment_of(finder, part);
		order[i] = (struct ranked){mpi_world_rank(finder->trace->world, part->communicator, experiment), part};
	}
	qsort(order, operation->count, sizeof *order, by_rank);
	for (uint32_t i = 0; i < operation->count; i++) {
		offer_part(finder, operation, order[i].part, last);
		if (!last || begin_of(finder, order[i].part) > begin_of(finder, last))
			last = order[i].part;
	}
	free(order);
}

static void offer_operation(struct finder *finder, const struct operation *operation)
{
	const struct mpi_part *last = last_but(finder, operation, 0), *root;
	if (operation->state == MPI_WAIT_early_scan) {
		offer_scan(finder, operation);
		return;
	}
	for (uint32_t i = 0; i < operation->count; i++) {
		const struct mpi_part *part = &operation->parts[i];
		switch (operation->state) {
		case MPI_WAIT_late_broadcast:
			offer_part(finder, operation, part, root_of(finder, operation, part));
			break;
		case MPI_WAIT_early_reduce:
			root = root_of(finder, operation, part);
			if (part == root)
				offer_part(finder, operation, part, last_but(finder, operation, root));
			break;
		default:
			offer_part(finder, operation, part, last);
		}
	}
}

static void offer_operations(struct finder *finder)
{
	const struct mpi_trace *trace = finder->trace;
	for (uint32_t first = 0, next; first < trace->part_count; first = next) {
		const struct mpi_part *parts = &trace->parts[first];
		unsigned char is = role_of_call(finder, parts->start);
		bool same =
			/* The rules of the wait states are for one group. An intercommunicator has two, of which one side may
			   only receive; nothing is said of it rather than something wrong. */
			is < MPI_WAIT_STATES && !mpi_world_communicator(trace->world, parts->communicator)->remote_size;
		for (next = first; next < trace->part_count; next++) {
			const struct mpi_part *part = &trace->parts[next];
			if (part->communicator != parts->communicator || part->order != parts->order)
				break;
			same &= role_of_call(finder, part->start) == is;
		}
		if (same && next - first > 1)
			offer_operation(finder, &(struct operation){parts, next - first, (enum mpi_wait_state)is});
	}
}

/* A message that a later call of the thread received was there before the one that was waited for. */
static void find_wrong_order(struct finder *finder)
{
	const struct mpi_trace *trace = finder->trace;
	struct mpi_arrivals arrivals = mpi_arrivals_read(trace);
	for (uint32_t c = 0; c < trace->call_count; c++) {
		struct offer *best = &finder->offers[c];
		if (best->state == MPI_WAIT_late_sender && mpi_arrivals_first_sent(&arrivals, trace, c) < best->end)
			best->state = MPI_WAIT_wrong_order;
	}
	free(arrivals.all);
}

struct mpi_wait *mpi_waits_find(const struct mpi_trace *trace, const struct data *data, uint32_t *count)
{
	struct finder finder = {.trace = trace, .data = data};
	struct mpi_wait *waits = 0;
	finder.offers = memory_new(trace->call_count, sizeof *finder.offers);
	for (uint32_t c = 0; c < trace->call_count; c++)
		finder.offers[c].state = MPI_WAIT_STATES;
	read_functions(&finder);
	offer_messages(&finder);
	offer_operations(&finder);
	offer_words(&finder);
	offer_locks(&finder);
	find_wrong_order(&finder);
	*count = 0;
	for (uint32_t c = 0; c < trace->call_count; c++) {
		const struct offer *best = &finder.offers[c];
		if (best->state == MPI_WAIT_STATES || !best->time)
			continue;
		waits = memory_room(waits, *count, sizeof *waits);
		waits[(*count)++] = (struct mpi_wait){
			best->time, best->end, c, best->late, (enum mpi_wait_state)best->state, best->kept};
	}
	for (uint32_t e = 0; e < data->experiment_count; e++)
		free(finder.functions[e]);
	free(finder.functions);
	free(finder.offers);
	return waits;
}
