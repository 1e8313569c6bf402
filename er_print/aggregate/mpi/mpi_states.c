/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI Work and MPI Wait: whether a thread that used CPU time was waiting in MPI when it did. It was if, between the leaf and
   the MPI function, there is one that makes progress or gives the CPU away, or if another process was late at that time
   (mpi_waits.h), and if the leaf itself moves no data. Every other sample is work. The time that the thread did not run in an MPI
   function is wait, so that both add up to MPI Time there, and to Total CPU Time elsewhere. Beside them the time of each wait
   state. */
#include "event_filter.h"
#include "metrics.h"
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

/* A sample in MPI that waits if another process was late then. */
struct sample {
	uint64_t thread; /* number_pair of experiment and thread */
	uint64_t time, used;
	uint32_t key;
	bool waits;
};
/* Times of waits with one key, of one state. */
struct wait_sum {
	uint64_t time;
	uint32_t key;
	enum mpi_wait_state state;
};

struct states {
	uint64_t *work, *wait, *events;
	const struct data *data;
	const struct metric_keys *keys;
	unsigned char *marks;   /* by stack: IN_MPI and IN_PROGRESS of it and its callers, MOVES_DATA of its leaf */
	struct sample *samples; /* by thread and time */
	uint32_t sample_count, sample_capacity;
	struct number_map places; /* (key, state) -> sum */
	struct wait_sum *sums;
	uint32_t sum_count, sum_capacity;
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
	const struct sample *a = left, *b = right;
	return COMPARE(a->thread, b->thread) ?: COMPARE(a->time, b->time);
}

static void forget_waits(void *context)
{
	struct states *states = context;
	for (uint32_t i = 0; i < states->sample_count; i++)
		states->samples[i].waits = false;
	for (uint32_t i = 0; i < states->sum_count; i++)
		states->sums[i].time = 0;
}

static void add_wait(void *context, const struct mpi_wait *wait)
{
	struct states *states = context;
	struct sample *samples = states->samples;
	uint64_t thread = mpi_wait_thread(wait);
	uint32_t first = FIRST_WHERE(i, states->sample_count,
		samples[i].thread > thread || (samples[i].thread == thread && samples[i].time >= wait->begin));
	for (uint32_t i = first;
		i < states->sample_count && samples[i].thread == thread && samples[i].time <= wait->end; i++)
		samples[i].waits = true;
	if (!wait->kept)
		return;
	uint32_t *place = number_map_place(&states->places, number_pair(wait->key, wait->state));
	if (*place == NO_NUMBER) {
		memory_reserve(states->sums, states->sum_count, states->sum_capacity);
		states->sums[states->sum_count] = (struct wait_sum){0, wait->key, wait->state};
		*place = states->sum_count++;
	}
	states->sums[*place].time += wait->time;
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

static void add_sample(struct states *states, const struct sample *sample)
{
	memory_reserve(states->samples, states->sample_count, states->sample_capacity);
	states->samples[states->sample_count++] = *sample;
}

/* Those in MPI, neither in progress nor moving data, are told by the waits. */
static void add_clock(void *context, const struct data_batch *batch)
{
	struct states *states = context;
	const uint64_t *user = batch->field[FIELD_INDEX(CLOCK, user)];
	const uint64_t *system = batch->field[FIELD_INDEX(CLOCK, system)];
	const struct metric_keys *keys = states->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_CLOCK, batch) : batch->stack;
	uint32_t experiment = (uint32_t)(batch->experiment - states->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		unsigned marks = states->marks[batch->stack[i]];
		uint64_t thread = number_pair(experiment, batch->thread[i]), used = user[i] + system[i];
		if (marks == IN_MPI)
			add_sample(states, &(struct sample){thread, batch->time[i], used, key[i], false});
		else
			(marks & IN_PROGRESS && !(marks & MOVES_DATA) ? states->wait : states->work)[key[i]] += used;
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
	if (filter && filter->resolver) {
		states.marks = mark_stacks(data, filter->resolver);
		event_filter_visit(data, KIND_CLOCK, filter, add_clock, &states);
		event_filter_visit(data, KIND_OFFCPU, filter, add_off_cpu, &states);
	}
	if (states.sample_count)
		qsort(states.samples, states.sample_count, sizeof *states.samples, by_thread_and_time);
	mpi_waits_visit(data, filter, keys, &(struct mpi_wait_reader){forget_waits, add_wait, &states, 0});
	for (uint32_t i = 0; i < states.sample_count; i++)
		(states.samples[i].waits ? states.wait : states.work)[states.samples[i].key] += states.samples[i].used;
	for (uint32_t i = 0; i < states.sum_count; i++)
		sums[WAIT_ROWS + states.sums[i].state][states.sums[i].key] += states.sums[i].time;
	number_map_free(&states.places);
	free(states.sums);
	free(states.samples);
	free(states.marks);
}
