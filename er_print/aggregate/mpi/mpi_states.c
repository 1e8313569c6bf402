/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI Work and MPI Wait: whether a thread that used CPU time was waiting in MPI when it did. It was if, between the leaf and
   the MPI function, there is one that makes progress or gives the CPU away, or if another process was late at that time
   (mpi_waits.h), and if the leaf itself moves no data. Every other sample is work. The time that the thread did not run in an MPI
   function is wait, so that both add up to MPI Time there, and to Total CPU Time elsewhere. Beside them the time of each wait
   state. */
#include "event_filter.h"
#include "metrics.h"
#include "mpi_messages.h"
#include "mpi_waits.h"
#include "number_map.h"
#include "resolver.h"
#include "search.h"
#include "storage.h"
#include "wait_states.h"

#include <stdlib.h>
#include <string.h>

enum { IN_MPI = 1, IN_PROGRESS = 2, MOVES_DATA = 4 };

/* Names, or beginnings of names that end in "*". */
static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++) {
		size_t length = strlen(*names);
		if ((*names)[length - 1] == '*' ? !strncmp(name, *names, length - 1) : !strcmp(name, *names))
			return true;
	}
	return false;
}

/* Functions of Open MPI and MPICH in which they wait; both export them. */
static const char *const progress[] = {"opal_progress", "ompi_request_default_wait*", "ompi_request_wait_completion",
	"ompi_sync_wait_mt", "MPIDI_CH3I_Progress*", "MPID_Progress_wait*", "MPIDI_progress_test*", "MPIR_Wait*",
	"MPIR_Progress*", "MPIDI_OFI_progress*", "sched_yield", "__sched_yield", "poll", "__poll", "ppoll",
	"epoll_wait", "nanosleep", "clock_nanosleep", "usleep", "select", 0};
static const char *const moves[] = {"memcpy*", "memmove*", "__memcpy*", "__memmove*", "process_vm_readv",
	"process_vm_writev", "readv", "writev", "send*", "recv*", "__send*", "__recv*", "opal_convertor_*", 0};

/* Reads the frames at a stack's leaf address. */
static unsigned marks_of(struct resolver *resolver, uint32_t stack)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_frames(resolver, stack, frames), marks = 0;
	for (unsigned i = 0; i < count; i++) {
		const char *name = resolver_function(resolver, frames[i].function)->short_name;
		if (!strncmp(name, "MPI_", 4) || !strncmp(name, "PMPI_", 5))
			marks |= IN_MPI;
		marks |= is_one_of(name, progress) ? IN_PROGRESS : 0;
		marks |= is_one_of(name, moves) ? MOVES_DATA : 0;
	}
	return marks;
}

/* A thread waited for another process, by what both say of the time. */
struct interval {
	uint64_t thread; /* number_pair of experiment and thread */
	uint64_t begin, end;
};

struct states {
	uint64_t *work, *wait, *events;
	const struct data *data;
	const struct metric_keys *keys;
	unsigned char *marks;       /* by stack: IN_MPI and IN_PROGRESS of it and its callers, MOVES_DATA of its leaf */
	struct interval *intervals; /* by thread and time; they do not overlap */
	uint32_t interval_count;
};

/* A caller has a smaller number than what it calls. */
static unsigned char *mark_stacks(struct data *data, struct resolver *resolver)
{
	unsigned char *marks = memory_new(data->stack_count, 1);
	for (uint32_t stack = 1; stack < data->stack_count; stack++) {
		const struct stack *own = &data->stacks[stack];
		unsigned above = marks[own->parent];
		unsigned here = own->flags & STACK_ROOT ? 0 : marks_of(resolver, stack);
		/* poll() or nanosleep() of the program itself are no waits in MPI: they count only below an MPI function. */
		unsigned progressing = above & IN_MPI ? (above | here) & IN_PROGRESS : 0;
		marks[stack] = (unsigned char)(((above | here) & IN_MPI) | progressing | (here & MOVES_DATA));
	}
	return marks;
}

static int by_thread_and_time(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;
	return COMPARE(a->thread, b->thread) ?: COMPARE(a->begin, b->begin);
}

static void find_intervals(struct states *states, const struct mpi_trace *trace, const struct mpi_wait *waits)
{
	uint32_t count = states->interval_count;
	states->intervals = memory_new(count, sizeof *states->intervals);
	for (uint32_t i = 0; i < count; i++) {
		const struct mpi_trace_call *call = &trace->calls[waits[i].call];
		states->intervals[i] = (struct interval){mpi_thread_of(call), call->begin, waits[i].end};
	}
	if (count)
		qsort(states->intervals, count, sizeof *states->intervals, by_thread_and_time);
}

static bool in_interval(const struct states *states, uint64_t thread, uint64_t time)
{
	const struct interval *intervals = states->intervals;
	uint64_t after = FIRST_WHERE(i, states->interval_count,
		intervals[i].thread > thread || (intervals[i].thread == thread && intervals[i].begin > time));
	return after && intervals[after - 1].thread == thread && time <= intervals[after - 1].end;
}

static void add_off_cpu(void *context, const struct data_batch *batch)
{
	const struct states *states = context;
	const struct metric_keys *keys = states->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_OFFCPU, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++)
		if (states->marks[batch->stack[i]] & IN_MPI &&
			state_is_off_cpu(batch->field[FIELD_INDEX(OFFCPU, state)][i])) {
			states->wait[key[i]] += batch->field[FIELD_INDEX(OFFCPU, duration)][i];
			++*states->events;
		}
}

static void add_clock(void *context, const struct data_batch *batch)
{
	const struct states *states = context;
	const uint64_t *user = batch->field[FIELD_INDEX(CLOCK, user)];
	const uint64_t *system = batch->field[FIELD_INDEX(CLOCK, system)];
	const struct metric_keys *keys = states->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_CLOCK, batch) : batch->stack;
	uint32_t experiment = (uint32_t)(batch->experiment - states->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		unsigned marks = states->marks[batch->stack[i]];
		bool waits = marks & IN_PROGRESS;
		if (!waits && marks & IN_MPI)
			waits = in_interval(states, number_pair(experiment, batch->thread[i]), batch->time[i]);
		if (marks & MOVES_DATA)
			waits = false;
		(waits ? states->wait : states->work)[key[i]] += user[i] + system[i];
	}
	*states->events += batch->count;
}

/* Rows of metrics.def: work, wait, and one for each enum mpi_wait_state. */
metric_pass mpi_states;
void mpi_states(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	enum { WAIT_ROWS = 2 };
	struct states states = {.work = sums[0], .wait = sums[1], .events = events, .data = data, .keys = keys};
	struct mpi_trace *trace = mpi_trace_read(data, filter, keys);
	mpi_messages_match(trace);
	struct mpi_wait *waits = mpi_waits_find(trace, data, &states.interval_count);
	for (uint32_t i = 0; i < states.interval_count; i++)
		if (waits[i].kept)
			sums[WAIT_ROWS + waits[i].state][trace->calls[waits[i].call].key] += waits[i].time;
	if (filter && filter->resolver) {
		find_intervals(&states, trace, waits);
		states.marks = mark_stacks(data, filter->resolver);
		event_filter_visit(data, KIND_CLOCK, filter, add_clock, &states);
		event_filter_visit(data, KIND_OFFCPU, filter, add_off_cpu, &states);
	}
	free(states.intervals);
	free(states.marks);
	free(waits);
	mpi_trace_free(trace);
}
