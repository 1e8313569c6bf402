/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk through the messages, operations and waits of all processes in the order of time. */
#include "mpi_meetings.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Waits come before what ends at the same moment: that is the end of the wait. */
enum step_kind { WAIT, MESSAGE, OPERATION };
struct step {
	uint64_t time;
	uint32_t index; /* of the wait, receive, or first part */
	enum step_kind kind;
};
/* A process's last operations, one of each communicator, the latest first. A process that uses more communicators by turns has
   met nobody on the others. */
enum { RECENT = 32 };
struct recent {
	uint32_t count, part[RECENT]; /* the first part of each */
};
struct walk {
	const struct mpi_trace *trace;
	const struct data *data;
	struct step *steps;
	uint32_t step_count;
	struct number_map messages; /* (one experiment, another, the smaller first) -> receive */
	struct recent *recent;      /* by experiment */
};

static const struct mpi_trace_call *call_at(const struct walk *walk, uint32_t call)
{
	return &walk->trace->calls[call];
}

static bool same_operation(const struct mpi_part *a, const struct mpi_part *b)
{
	return a->communicator == b->communicator && a->order == b->order;
}

static void add_step(struct walk *walk, enum step_kind kind, uint32_t index, uint64_t time)
{
	walk->steps[walk->step_count++] = (struct step){time, index, kind};
}

static int by_time(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	return COMPARE(a->time, b->time) ?: COMPARE(a->kind, b->kind) ?: COMPARE(a->index, b->index);
}

static void make_steps(struct walk *walk, const struct mpi_wait *waits, uint32_t count)
{
	const struct mpi_trace *trace = walk->trace;
	walk->steps = memory_new((size_t)count + trace->receive_count + trace->part_count, sizeof *walk->steps);
	for (uint32_t w = 0; w < count; w++)
		add_step(walk, WAIT, w, waits[w].late_begin);
	for (uint32_t r = 0; r < trace->receive_count; r++) {
		const struct mpi_side *receive = &trace->receives[r];
		if (receive->partner == NO_MESSAGE)
			continue;
		uint64_t sent = call_at(walk, trace->sends[receive->partner].start)->end;
		uint64_t received = call_at(walk, receive->completion)->end;
		add_step(walk, MESSAGE, r, sent > received ? sent : received);
	}
	for (uint32_t first = 0, next; first < trace->part_count; first = next) {
		uint64_t end = 0;
		for (next = first;
			next < trace->part_count && same_operation(&trace->parts[first], &trace->parts[next]); next++) {
			uint64_t own = call_at(walk, trace->parts[next].completion)->end;
			end = own > end ? own : end;
		}
		add_step(walk, OPERATION, first, end);
	}
	if (walk->step_count)
		qsort(walk->steps, walk->step_count, sizeof *walk->steps, by_time);
}

static uint64_t pair_of(uint32_t a, uint32_t b)
{
	return a < b ? number_pair(a, b) : number_pair(b, a);
}

static void pass_message(struct walk *walk, uint32_t receive)
{
	const struct mpi_side *side = &walk->trace->receives[receive];
	*number_map_place(&walk->messages, pair_of(call_at(walk, side->completion)->experiment, side->peer)) = receive;
}

static void pass_operation(struct walk *walk, uint32_t first)
{
	const struct mpi_part *parts = walk->trace->parts;
	for (uint32_t p = first; p < walk->trace->part_count && same_operation(&parts[first], &parts[p]); p++) {
		struct recent *recent = &walk->recent[call_at(walk, parts[p].start)->experiment];
		uint32_t place = 0;
		while (place < recent->count && parts[recent->part[place]].communicator != parts[first].communicator)
			place++;
		if (place == recent->count)
			recent->count < RECENT ? recent->count++ : place--;
		memmove(recent->part + 1, recent->part, place * sizeof *recent->part);
		recent->part[0] = first;
	}
}

/* The end of a process's part in an operation; 0: it has none. */
static uint64_t end_of_part(const struct walk *walk, uint32_t first, uint32_t experiment)
{
	const struct mpi_part *parts = &walk->trace->parts[first];
	uint64_t count = walk->trace->part_count - first;
	uint64_t found = FIRST_WHERE(
		i, count, !same_operation(parts, &parts[i]) || call_at(walk, parts[i].start)->experiment >= experiment);
	if (found == count || !same_operation(parts, &parts[found]) ||
		call_at(walk, parts[found].start)->experiment != experiment)
		return 0;
	return call_at(walk, parts[found].completion)->end;
}

/* Takes a common point if it is before both calls and later than what was found. */
static void take(struct mpi_meeting *found, const struct mpi_meeting *other, const struct mpi_wait *wait)
{
	if (other->late > wait->late_begin || other->own > wait->begin)
		return;
	if (other->late + other->own > found->late + found->own)
		*found = *other;
}

static struct mpi_meeting meeting_of(const struct walk *walk, const struct mpi_wait *wait)
{
	const struct mpi_trace *trace = walk->trace;
	uint32_t late = wait->late_experiment, own = wait->experiment;
	const struct recent *recent = &walk->recent[late];
	uint64_t late_start = walk->data->experiments[late].start_offset,
		 own_start = walk->data->experiments[own].start_offset;
	struct mpi_meeting found = {late_start < wait->late_begin ? late_start : wait->late_begin,
		own_start < wait->begin ? own_start : wait->begin};
	uint32_t receive = number_map_find(&walk->messages, pair_of(late, own));
	if (receive != NO_NUMBER) {
		const struct mpi_side *side = &trace->receives[receive];
		uint64_t received = call_at(walk, side->completion)->end,
			 sent = call_at(walk, trace->sends[side->partner].start)->end;
		bool to_late = call_at(walk, side->completion)->experiment == late;
		struct mpi_meeting message = {to_late ? received : sent, to_late ? sent : received};
		take(&found, &message, wait);
	}
	for (uint32_t i = 0; i < recent->count; i++) {
		struct mpi_meeting operation = {
			end_of_part(walk, recent->part[i], late), end_of_part(walk, recent->part[i], own)};
		if (!operation.own)
			continue;
		take(&found, &operation, wait);
		break;
	}
	return found;
}

struct mpi_meeting *mpi_meetings_find(
	const struct mpi_trace *trace, const struct data *data, const struct mpi_wait *waits, uint32_t count)
{
	struct walk walk = {.trace = trace, .data = data};
	struct mpi_meeting *meetings = memory_new(count, sizeof *meetings);
	walk.recent = memory_new(data->experiment_count, sizeof *walk.recent);
	make_steps(&walk, waits, count);
	for (uint32_t i = 0; i < walk.step_count; i++) {
		const struct step *step = &walk.steps[i];
		if (step->kind == WAIT)
			meetings[step->index] = meeting_of(&walk, &waits[step->index]);
		else
			(step->kind == MESSAGE ? pass_message : pass_operation)(&walk, step->index);
	}
	number_map_free(&walk.messages);
	free(walk.recent);
	free(walk.steps);
	return meetings;
}
