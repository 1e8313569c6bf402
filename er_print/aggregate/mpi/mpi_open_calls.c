/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call gets its row when an event needs it; the rows of a thread stand in line in the order of time. */
#include "mpi_open_calls.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

enum { POLLS_KEPT = 4 /* as many as the collector has open at once */, FEW = 16384 };

/* Calls that asked in vain, as one event. */
struct asked {
	uint64_t begin, end, inside;
	uint32_t key, stack, call; /* call: its row, MPI_NO_CALL as long as nothing needs it */
	uint16_t function;
};
/* A thread, and its last call, whose further events do not repeat when it ended. */
struct thread {
	uint32_t experiment, thread;
	uint32_t first, last; /* rows; MPI_NO_CALL: none */
	uint64_t begin, end;
	uint32_t key, call;             /* of the last call; call: its row, MPI_NO_CALL as long as nothing needs it */
	uint32_t asked_next;            /* number of the next in asked */
	bool asks;                      /* it asked in vain itself */
	struct asked asked[POLLS_KEPT]; /* right before it; end 0: none */
};
struct mpi_open_calls {
	const struct mpi_function_roles *roles;
	const struct mpi_wait_reader *reader;
	struct number_map numbers; /* (experiment, thread) -> thread */
	struct thread *threads;
	struct mpi_undecided *rows;
	uint32_t thread_count, row_count, free_row;
	uint32_t open, many;
};

struct mpi_open_calls *mpi_open_calls_begin(
	const struct mpi_function_roles *roles, const struct mpi_wait_reader *reader)
{
	struct mpi_open_calls *calls = memory_new(1, sizeof *calls);
	*calls = (struct mpi_open_calls){.roles = roles, .reader = reader, .free_row = MPI_NO_CALL, .many = FEW};
	return calls;
}

void mpi_open_calls_free(struct mpi_open_calls *calls)
{
	number_map_free(&calls->numbers);
	free(calls->threads);
	free(calls->rows);
	free(calls);
}

uint32_t mpi_open_thread(struct mpi_open_calls *calls, uint32_t experiment, uint32_t thread)
{
	uint32_t *number = number_map_place(&calls->numbers, number_pair(experiment, thread));
	if (*number == NO_NUMBER) {
		calls->threads = memory_room(calls->threads, calls->thread_count, sizeof *calls->threads);
		calls->threads[calls->thread_count] = (struct thread){.experiment = experiment,
			.thread = thread,
			.first = MPI_NO_CALL,
			.last = MPI_NO_CALL,
			.call = MPI_NO_CALL};
		*number = calls->thread_count++;
	}
	return *number;
}

/* Takes its place in line, which is the last one but for those that asked in vain. */
static void line_up(struct mpi_open_calls *calls, uint32_t call)
{
	struct mpi_undecided *rows = calls->rows, *row = &rows[call];
	struct thread *thread = &calls->threads[row->thread];
	uint32_t before = thread->last;
	while (before != MPI_NO_CALL && rows[before].begin > row->begin)
		before = rows[before].before;
	row->before = before;
	row->next = before == MPI_NO_CALL ? thread->first : rows[before].next;
	*(before == MPI_NO_CALL ? &thread->first : &rows[before].next) = call;
	*(row->next == MPI_NO_CALL ? &thread->last : &rows[row->next].before) = call;
}

static void leave_line(struct mpi_open_calls *calls, uint32_t call)
{
	struct mpi_undecided *rows = calls->rows, *row = &rows[call];
	struct thread *thread = &calls->threads[row->thread];
	uint64_t sent = row->sent < row->sent_after ? row->sent : row->sent_after;
	if (row->before != MPI_NO_CALL && sent < rows[row->before].sent_after)
		rows[row->before].sent_after = sent;
	*(row->before == MPI_NO_CALL ? &thread->first : &rows[row->before].next) = row->next;
	*(row->next == MPI_NO_CALL ? &thread->last : &rows[row->next].before) = row->before;
	row->next = calls->free_row;
	calls->free_row = call;
	calls->open--;
}

static uint32_t new_row(struct mpi_open_calls *calls, const struct mpi_undecided *row)
{
	uint32_t call = calls->free_row;
	if (call == MPI_NO_CALL) {
		calls->rows = memory_room(calls->rows, calls->row_count, sizeof *calls->rows);
		call = calls->row_count++;
	} else {
		calls->free_row = calls->rows[call].next;
	}
	struct mpi_undecided *own = &calls->rows[call];
	*own = *row;
	own->sent = own->sent_after = UINT64_MAX;
	own->polls = MPI_NO_CALL;
	own->held = 1;
	own->state = MPI_WAIT_STATES;
	own->role = mpi_function_role(calls->roles, calls->threads[row->thread].experiment, row->function).state;
	line_up(calls, call);
	calls->open++;
	return call;
}

void mpi_open_hold(struct mpi_open_calls *calls, uint32_t call)
{
	calls->rows[call].held++;
}

void mpi_open_release(struct mpi_open_calls *calls, uint32_t call)
{
	if (call != MPI_NO_CALL)
		calls->rows[call].held--;
}

/* Calls that asked in vain are held by the one that followed, as long as that is open. */
static uint32_t polls_of(struct mpi_open_calls *calls, const struct mpi_event *event)
{
	struct thread *thread = &calls->threads[event->thread];
	uint32_t stack = event->batch->stack[event->i];
	for (unsigned i = 0; i < POLLS_KEPT; i++) {
		struct asked *asked = &thread->asked[i];
		if (!asked->end || asked->stack != stack || asked->end > thread->begin)
			continue;
		if (asked->call != MPI_NO_CALL)
			mpi_open_hold(calls, asked->call);
		else
			asked->call = new_row(calls, &(struct mpi_undecided){.begin = asked->begin,
							     .end = asked->end,
							     .inside = asked->inside,
							     .thread = event->thread,
							     .stack = stack,
							     .key = asked->key,
							     .function = asked->function});
		return asked->call;
	}
	return MPI_NO_CALL;
}

uint32_t mpi_open_call(struct mpi_open_calls *calls, const struct mpi_event *event, bool asked)
{
	struct thread *thread = &calls->threads[event->thread];
	uint64_t begin = event->batch->time[event->i], end = thread->end > begin ? thread->end : begin;
	if (thread->call == MPI_NO_CALL)
		thread->call = new_row(calls, &(struct mpi_undecided){.begin = begin,
						      .end = end,
						      .inside = end - begin,
						      .thread = event->thread,
						      .stack = event->batch->stack[event->i],
						      .key = thread->key,
						      .function = (uint16_t)FIELD(event, function)});
	if (asked && calls->rows[thread->call].polls == MPI_NO_CALL) {
		uint32_t polls = polls_of(calls, event);
		calls->rows[thread->call].polls = polls;
	}
	mpi_open_hold(calls, thread->call);
	return thread->call;
}

/* The thread goes on: only calls that ask, too, leave those that asked before. Few calls ask: the others have nothing to forget. */
static void forget_asked(struct thread *thread)
{
	for (unsigned i = 0; thread->asked_next && i < POLLS_KEPT; i++)
		thread->asked[i].call = MPI_NO_CALL;
	if (thread->asks || !thread->asked_next)
		return;
	memset(thread->asked, 0, sizeof thread->asked);
	thread->asked_next = 0;
}

void mpi_open_begins(
	struct mpi_open_calls *calls, const struct mpi_event *event, uint64_t inside, uint64_t between, uint32_t key)
{
	struct thread *thread = &calls->threads[event->thread];
	uint64_t begin = event->batch->time[event->i], end = begin + inside + between,
		 function = FIELD(event, function);
	forget_asked(thread);
	mpi_open_release(calls, thread->call);
	thread->begin = begin;
	thread->end = end;
	thread->key = key;
	thread->call = MPI_NO_CALL;
	thread->asks = FIELD(event, role) == STATE_VALUE(MPI, role, none) &&
		       mpi_function_role(calls->roles, event->experiment, function).asks;
	if (thread->asks)
		thread->asked[thread->asked_next++ % POLLS_KEPT] = (struct asked){.begin = begin,
			.end = end,
			.inside = inside,
			.key = key,
			.stack = event->batch->stack[event->i],
			.call = MPI_NO_CALL,
			.function = (uint16_t)function};
}

struct mpi_late mpi_open_event_late(const struct mpi_event *event)
{
	return (struct mpi_late){event->batch->time[event->i], event->thread, event->batch->stack[event->i]};
}

const struct mpi_undecided *mpi_open_at(const struct mpi_open_calls *calls, uint32_t call)
{
	return &calls->rows[call];
}

struct mpi_late mpi_open_late(const struct mpi_open_calls *calls, uint32_t call)
{
	const struct mpi_undecided *row = &calls->rows[call];
	return (struct mpi_late){row->begin, row->thread, row->stack};
}

uint32_t mpi_open_experiment(const struct mpi_open_calls *calls, uint32_t call)
{
	return calls->threads[calls->rows[call].thread].experiment;
}

void mpi_open_received(struct mpi_open_calls *calls, uint32_t call, uint64_t sent)
{
	struct mpi_undecided *row = &calls->rows[call];
	row->sent = sent < row->sent ? sent : row->sent;
}

/* Which of two that a call waited for until the same moment is said, whatever the order in which they were offered. */
static int compare_late(const struct mpi_open_calls *calls, const struct mpi_undecided *row, enum mpi_wait_state state,
	const struct mpi_late *late)
{
	const struct thread *threads = calls->threads, *a = &threads[late->thread], *b = &threads[row->late.thread];
	int order = COMPARE(state, row->state) ?: COMPARE(late->begin, row->late.begin);
	order = order ?: COMPARE(a->experiment, b->experiment) ?: COMPARE(a->thread, b->thread);
	return order ?: COMPARE(late->stack, row->late.stack);
}

static void offer(struct mpi_open_calls *calls, struct mpi_undecided *row, const struct mpi_late *late,
	enum mpi_wait_state state, bool kept)
{
	uint64_t until = late->begin < row->end ? late->begin : row->end;
	until = until > row->begin ? until : row->begin;
	if (row->state != MPI_WAIT_STATES) {
		/* MPI_Waitsome and its like return when the first request is complete, MPI_Waitall when the last one is: the
		   shortest or the longest wait held the call up. */
		int order = row->role == MPI_WAITS_FOR_FIRST ? COMPARE(until, row->until) : COMPARE(row->until, until);
		order = order ?: compare_late(calls, row, state, late);
		row->kept |= !order && kept;
		if (order >= 0)
			return;
	}
	row->until = until;
	row->late = *late;
	row->state = (unsigned char)state;
	row->kept = kept;
}

void mpi_open_offer(
	struct mpi_open_calls *calls, uint32_t call, const struct mpi_late *late, enum mpi_wait_state state, bool kept)
{
	struct mpi_undecided *row = &calls->rows[call];
	offer(calls, row, late, state, kept);
	if (row->polls != MPI_NO_CALL)
		offer(calls, &calls->rows[row->polls], late, state, kept);
}

void mpi_open_offer_if_held_up(
	struct mpi_open_calls *calls, uint32_t call, const struct mpi_late *late, enum mpi_wait_state state, bool kept)
{
	if (calls->rows[call].end > late->begin)
		mpi_open_offer(calls, call, late, state, kept);
}

static void visit(const struct mpi_open_calls *calls, const struct mpi_undecided *row, enum mpi_wait_state state)
{
	const struct thread *own = &calls->threads[row->thread], *late = &calls->threads[row->late.thread];
	uint64_t time = row->until - row->begin, all = row->end - row->begin;
	/* Calls that asked in vain were not all of the time between the first and the last. */
	if (row->inside < all)
		time = (uint64_t)((double)time * (double)row->inside / (double)all);
	if (!time)
		return;
	calls->reader->visit(calls->reader->context, &(struct mpi_wait){.begin = row->begin,
							     .call_end = row->end,
							     .end = row->until,
							     .time = time,
							     .late_begin = row->late.begin,
							     .experiment = own->experiment,
							     .thread = own->thread,
							     .stack = row->stack,
							     .key = row->key,
							     .late_experiment = late->experiment,
							     .late_thread = late->thread,
							     .late_stack = row->late.stack,
							     .state = state,
							     .kept = row->kept});
}

/* `sent`: when the first message was sent that a later call of the thread received. Returns whether the call is done with. */
static bool decide(const struct mpi_open_calls *calls, const struct mpi_undecided *row, uint64_t sent, uint64_t later)
{
	bool late_sender = row->state == MPI_WAIT_late_sender && row->until > row->begin;
	if (row->held || (late_sender && sent >= row->until && later < row->until))
		return false;
	if (row->state != MPI_WAIT_STATES)
		visit(calls, row,
			late_sender && sent < row->until ? MPI_WAIT_wrong_order : (enum mpi_wait_state)row->state);
	return true;
}

void mpi_open_threads_end(struct mpi_open_calls *calls)
{
	for (uint32_t t = 0; t < calls->thread_count; t++) {
		mpi_open_release(calls, calls->threads[t].call);
		calls->threads[t].call = MPI_NO_CALL;
	}
}

bool mpi_open_calls_are_many(const struct mpi_open_calls *calls)
{
	return calls->open >= calls->many;
}

/* Calls that asked in vain before what a thread does next. */
static uint64_t first_asked(const struct thread *thread)
{
	uint64_t first = UINT64_MAX;
	for (unsigned i = 0; i < POLLS_KEPT && thread->asked_next; i++)
		if (thread->asked[i].end && thread->asked[i].begin < first)
			first = thread->asked[i].begin;
	return first;
}

void mpi_open_decide(struct mpi_open_calls *calls, uint64_t now, const uint64_t *on_their_way)
{
	uint64_t passed = now;
	for (uint32_t t = 0; t < calls->thread_count; t++) {
		uint64_t later = on_their_way[calls->threads[t].experiment], sent = UINT64_MAX;
		uint64_t asked = now == UINT64_MAX ? now : first_asked(&calls->threads[t]);
		later = later < now ? later : now;
		passed = asked < passed ? asked : passed;
		for (uint32_t call = calls->threads[t].last, before; call != MPI_NO_CALL; call = before) {
			struct mpi_undecided *row = &calls->rows[call];
			before = row->before;
			sent = row->sent_after < sent ? row->sent_after : sent;
			if (decide(calls, row, sent, later)) {
				mpi_open_release(calls, row->polls);
				leave_line(calls, call);
			} else if (row->begin < passed) {
				passed = row->begin;
			}
			sent = row->sent < sent ? row->sent : sent;
		}
	}
	if (calls->reader->passed)
		calls->reader->passed(calls->reader->context, passed);
	calls->many = calls->open + (calls->open / 2 > FEW ? calls->open / 2 : FEW);
}
