/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the time without a stack of short threads, per program. */
#include "short_threads.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct times {
	uint64_t user, system; /* nanoseconds */
};

/* One that has clock events. */
struct thread {
	uint32_t experiment;
	bool ticked;
	uint64_t cpu;       /* of all its events, less: */
	uint64_t unclocked; /* before there could be ticks */
	uint64_t here;      /* of those with a stack that the filter keeps */
	uint64_t seen;      /* of these, while they are given their parts */
	struct times share;
};

/* An event of a short thread that met a tick. */
struct piece {
	uint32_t thread, stack;
	uint64_t time;
};

/* A program: the processes that execute one path. */
struct program {
	struct times pool;      /* without a stack */
	uint64_t weight, given; /* of its short threads: T - c, in all and while they are given theirs */
};

struct division {
	struct data *data;
	struct number_map numbers; /* experiment and thread -> index in threads */
	struct thread *threads;
	uint32_t thread_count, thread_capacity;
	struct piece *pieces;
	size_t piece_count, piece_capacity;
	uint32_t *program_of; /* by experiment */
	struct program *programs;
};

static uint64_t interval_of(const struct division *division, const struct thread *thread)
{
	return division->data->experiments[thread->experiment].file->settings->clock_interval;
}

/* T - c; 0 if it is not short. */
static uint64_t weight_of(const struct division *division, const struct thread *thread)
{
	uint64_t interval = interval_of(division, thread);
	uint64_t clocked = thread->cpu > thread->unclocked ? thread->cpu - thread->unclocked : 0;
	return interval > clocked ? interval - clocked : 0;
}

static uint32_t number_of(struct division *division, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&division->numbers, number_pair(experiment, thread));
	if (*place != NO_NUMBER)
		return *place;
	*place = division->thread_count;
	memory_reserve(division->threads, division->thread_count, division->thread_capacity);
	division->threads[division->thread_count] = (struct thread){.experiment = experiment};
	return division->thread_count++;
}

static void read_threads(void *context, const struct data_batch *batch)
{
	struct division *division = context;
	uint32_t experiment = (uint32_t)(batch->experiment - division->data->experiments), last = 0, number = 0;
	const uint64_t *user = batch->field[FIELD_INDEX(CLOCK, user)],
		       *system = batch->field[FIELD_INDEX(CLOCK, system)],
		       *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	for (uint32_t i = 0; i < batch->count; i++) {
		if (!i || batch->thread[i] != last)
			number = number_of(division, experiment, batch->thread[i]);
		last = batch->thread[i];
		struct thread *thread = &division->threads[number];
		if (mode[i] == STATE_VALUE(CLOCK, mode, collector))
			continue;
		thread->cpu += user[i] + system[i];
		if (data_is_tick(mode[i]) && batch->stack[i])
			thread->ticked = true;
	}
}

static void read_starts(void *context, const struct data_batch *batch)
{
	struct division *division = context;
	uint32_t experiment = (uint32_t)(batch->experiment - division->data->experiments);
	const uint64_t *what = batch->field[FIELD_INDEX(THREAD, what)],
		       *unclocked = batch->field[FIELD_INDEX(THREAD, unclocked)];
	for (uint32_t i = 0; i < batch->count; i++) {
		if (what[i] != STATE_VALUE(THREAD, what, start))
			continue;
		uint32_t number = number_of(division, experiment, batch->thread[i]); /* may move the threads */
		division->threads[number].unclocked = unclocked[i];
	}
}

static void add_piece(struct division *division, uint32_t number, uint32_t stack, uint64_t time)
{
	division->threads[number].here += time;
	memory_reserve(division->pieces, division->piece_count, division->piece_capacity);
	division->pieces[division->piece_count++] = (struct piece){number, stack, time};
}

static void read_pieces(void *context, const struct data_batch *batch)
{
	struct division *division = context;
	uint32_t experiment = (uint32_t)(batch->experiment - division->data->experiments);
	const uint64_t *user = batch->field[FIELD_INDEX(CLOCK, user)],
		       *system = batch->field[FIELD_INDEX(CLOCK, system)],
		       *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	struct program *program = &division->programs[division->program_of[experiment]];
	for (uint32_t i = 0; i < batch->count; i++) {
		if (mode[i] == STATE_VALUE(CLOCK, mode, collector) || mode[i] == STATE_VALUE(CLOCK, mode, start) ||
			user[i] + system[i] == 0)
			continue;
		uint32_t number = number_of(division, experiment, batch->thread[i]);
		if (!weight_of(division, &division->threads[number]))
			continue;
		if (division->threads[number].ticked && batch->stack[i]) {
			add_piece(division, number, batch->stack[i], user[i] + system[i]);
		} else if (!division->threads[number].ticked && !batch->stack[i]) {
			program->pool.user += user[i];
			program->pool.system += system[i];
		}
	}
}

/* Processes of one path are of one program; of an unknown one, each is its own. */
static void tell_programs(struct division *division)
{
	const struct data *data = division->data;
	division->program_of = memory_new(data->experiment_count, sizeof *division->program_of);
	division->programs = memory_new(data->experiment_count, sizeof *division->programs);
	uint32_t count = 0;
	uint32_t *first = memory_new(data->experiment_count, sizeof *first); /* by program: an experiment of it */
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const char *path = data->experiments[e].file->process.executable;
		uint32_t p = 0;
		while (path && *path && p < count) {
			const char *other = data->experiments[first[p]].file->process.executable;
			if (other && !strcmp(other, path))
				break;
			p++;
		}
		if (!path || !*path || p == count)
			first[p = count++] = e;
		division->program_of[e] = p;
	}
	free(first);
}

/* The part of `whole` between two marks on the way to `all`: over all of the way, exactly all of it. */
static uint64_t part_of(uint64_t whole, uint64_t from, uint64_t to, uint64_t all)
{
	typedef unsigned __int128 wide;
	return (uint64_t)((wide)whole * to / all) - (uint64_t)((wide)whole * from / all);
}

static void give_shares(struct division *division)
{
	struct program *programs = division->programs;
	const uint32_t *program_of = division->program_of;
	for (uint32_t t = 0; t < division->thread_count; t++) {
		const struct thread *thread = &division->threads[t];
		if (thread->here)
			programs[program_of[thread->experiment]].weight += weight_of(division, thread);
	}
	for (uint32_t t = 0; t < division->thread_count; t++) {
		struct thread *thread = &division->threads[t];
		struct program *program = &programs[program_of[thread->experiment]];
		if (!thread->here)
			continue;
		uint64_t from = program->given;
		program->given += weight_of(division, thread);
		thread->share.user = part_of(program->pool.user, from, program->given, program->weight);
		thread->share.system = part_of(program->pool.system, from, program->given, program->weight);
	}
}

/* Adds what metrics of the clock make of such an event; it takes away where the times are negative, modulo 2^64. */
static void add_event(struct stack_sums *sums, uint32_t group, uint32_t stack, uint64_t user, uint64_t system)
{
	static const uint64_t zero;
	struct data_batch batch = {.count = 1, .time = &zero, .stack = &stack};
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		batch.field[f] = &zero;
	batch.field[FIELD_INDEX(CLOCK, user)] = &user;
	batch.field[FIELD_INDEX(CLOCK, system)] = &system;
	for (unsigned m = 0; m < sums->metrics->count; m++) {
		const struct metric *row = &sums->metrics->rows[m];
		if (row->add && row->kind == KIND_CLOCK && row->group == group && sums->of[m])
			row->add(sums->of[m], &batch, row);
	}
}

static uint64_t move_times(struct division *division, uint32_t group, struct stack_sums *sums)
{
	struct times moved = {0, 0};
	for (size_t i = 0; i < division->piece_count; i++) {
		const struct piece *piece = &division->pieces[i];
		struct thread *thread = &division->threads[piece->thread];
		uint64_t from = thread->seen;
		thread->seen += piece->time;
		uint64_t user = part_of(thread->share.user, from, thread->seen, thread->here);
		uint64_t system = part_of(thread->share.system, from, thread->seen, thread->here);
		add_event(sums, group, piece->stack, user, system);
		moved.user += user;
		moved.system += system;
	}
	add_event(sums, group, 0, -moved.user, -moved.system);
	return moved.user + moved.system;
}

static bool has_time_without_stack(const struct stack_sums *sums, uint32_t group)
{
	for (unsigned m = 0; m < sums->metrics->count; m++)
		if (sums->metrics->rows[m].kind == KIND_CLOCK && sums->metrics->rows[m].group == group && sums->of[m] &&
			sums->of[m][0])
			return true;
	return false;
}

uint64_t short_threads_divide(
	struct data *data, const struct event_filter *filter, uint32_t group, struct stack_sums *sums)
{
	struct division division = {.data = data};
	if (!has_time_without_stack(sums, group))
		return 0;
	tell_programs(&division);
	data_visit(data, KIND_CLOCK, read_threads, &division);
	data_visit(data, KIND_THREAD, read_starts, &division);
	event_filter_visit(data, KIND_CLOCK, filter, read_pieces, &division);
	give_shares(&division);
	uint64_t moved = move_times(&division, group, sums);
	number_map_free(&division.numbers);
	free(division.threads);
	free(division.pieces);
	free(division.program_of);
	free(division.programs);
	return moved;
}
