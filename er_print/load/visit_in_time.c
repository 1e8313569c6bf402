/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the blocks of an experiment by time. A block is in the order of time itself and is decoded when its time has come:
   about as many are open at a time as threads were running. Several experiments take turns, block by block. */
#include "ahead.h"
#include "progress.h"
#include "search.h"
#include "storage.h"
#include "visit.h"

#include <stdlib.h>

struct open_block {
	struct decoded_block *block;
	uint32_t next; /* event of it */
};

struct pass;
/* A source of events: an experiment's file of the kind. */
struct merge {
	struct pass *pass;
	uint32_t experiment;
	unsigned source;  /* of the experiment */
	uint64_t *starts; /* of its blocks, in order */
	unsigned next, count;
	struct open_block *open; /* a heap: the one with the earliest event first */
	unsigned open_count, open_capacity;
};
struct pass {
	struct visit visit;
	data_visitor *visitor;
	void *context;
	bool by_thread; /* data_visit_threads_in_time() */
	struct merge *merges;
	uint32_t merge_count;
	struct turn {
		uint64_t start;
		uint32_t merge;
		unsigned block;
	} * turns; /* blocks of all of them by their start */
	size_t next, count;
	uint64_t now;        /* nothing that begins before is left */
	struct ahead *ahead; /* decodes them in that order */
};

static uint64_t time_of(const struct open_block *block)
{
	return block->block->batch.time[block->next];
}

static int by_start(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	return COMPARE(x->start, y->start) ?: COMPARE(x->merge, y->merge) ?: COMPARE(x->block, y->block);
}

static void exchange(struct merge *merge, unsigned a, unsigned b)
{
	struct open_block block = merge->open[a];
	merge->open[a] = merge->open[b];
	merge->open[b] = block;
}

static void sink(struct merge *merge, unsigned place)
{
	for (;;) {
		unsigned least = place;
		for (unsigned child = 2 * place + 1; child <= 2 * place + 2 && child < merge->open_count; child++)
			if (time_of(&merge->open[child]) < time_of(&merge->open[least]))
				least = child;
		if (least == place)
			return;
		exchange(merge, place, least);
		place = least;
	}
}

static void rise(struct merge *merge, unsigned place)
{
	while (place && time_of(&merge->open[place]) < time_of(&merge->open[(place - 1) / 2])) {
		exchange(merge, place, (place - 1) / 2);
		place = (place - 1) / 2;
	}
}

/* The order of a block is that in which its thread did things, whatever the clock said. */
static void make_monotone(uint64_t *time, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (time[i] < time[i - 1])
			time[i] = time[i - 1];
}

static void decode(void *context, unsigned worker, size_t item, void *room)
{
	const struct pass *pass = context;
	const struct turn *turn = &pass->turns[item];
	const struct merge *merge = &pass->merges[turn->merge];
	struct decoded_block *decoded = room;
	(void)worker;
	const struct visited_block block = {merge->experiment, merge->source, turn->block};
	visit_decode(&pass->visit, &block, decoded);
	if (decoded->some)
		make_monotone(decoded->events.time, decoded->events.count);
}

/* Returns whose block it was. */
static struct merge *open_next(struct pass *pass)
{
	struct merge *merge = &pass->merges[pass->turns[pass->next].merge];
	pass->now = pass->turns[pass->next].start;
	progress_show(kind_row(pass->visit.kind)->title, pass->next++, pass->count);
	progress_checkpoint();
	struct decoded_block *block = ahead_take(pass->ahead);
	merge->next++;
	if (!block->some) {
		ahead_give_back(pass->ahead, block);
		return merge;
	}
	memory_reserve(merge->open, merge->open_count, merge->open_capacity);
	merge->open[merge->open_count++] = (struct open_block){block, 0};
	rise(merge, merge->open_count - 1);
	return merge;
}

/* No block that is not open yet has an earlier event. */
static uint64_t next_begins(const struct merge *merge)
{
	return merge->next < merge->count ? merge->starts[merge->next] : UINT64_MAX;
}

/* The time of the earliest event that is not the first block's. */
static uint64_t others_begin(const struct merge *merge)
{
	uint64_t time = next_begins(merge);
	for (unsigned child = 1; child <= 2 && child < merge->open_count; child++)
		if (time_of(&merge->open[child]) < time)
			time = time_of(&merge->open[child]);
	return time;
}

static struct data_batch part_of(const struct data_batch *whole, uint32_t from, uint32_t to)
{
	struct data_batch part = *whole;
	part.count = to - from;
	part.time += from;
	part.thread += from;
	part.cpu += from;
	part.stack += from;
	for (unsigned f = 0; f < FIELDS_MAX && part.field[f]; f++)
		part.field[f] += from;
	return part;
}

/* The end of what of the first block is not later than anything else. */
static uint32_t end_in_time(const struct merge *merge, const struct data_batch *batch, uint32_t from)
{
	uint64_t limit = others_begin(merge);
	uint32_t to = from + 1;
	while (to < batch->count && batch->time[to] <= limit)
		to++;
	return to;
}

/* A block is a thread's alone until the thread ends or the block is full: none of its other events lies between those. */
static uint32_t end_of_thread(const struct data_batch *batch, uint32_t from)
{
	uint32_t to = from + 1;
	while (to < batch->count && batch->thread[to] == batch->thread[from])
		to++;
	return to;
}

static void hand_on(struct merge *merge)
{
	const struct pass *pass = merge->pass;
	struct open_block *first = &merge->open[0];
	const struct data_batch *batch = &first->block->batch;
	uint32_t from = first->next;
	uint32_t to = pass->by_thread ? end_of_thread(batch, from) : end_in_time(merge, batch, from);
	struct data_batch part = part_of(batch, from, to);
	part.now = pass->now;
	pass->visitor(pass->context, &part);
	first->next = to;
	if (to == batch->count) {
		ahead_give_back(pass->ahead, first->block);
		*first = merge->open[--merge->open_count];
	}
	sink(merge, 0);
}

static void add_source(struct pass *pass, uint32_t experiment, unsigned number)
{
	const struct loaded_experiment *loaded = &pass->visit.data->experiments[experiment];
	const struct event_source *source = &loaded->file->sources[number];
	pass->merges = memory_room(pass->merges, pass->merge_count, sizeof *pass->merges);
	pass->merges[pass->merge_count] = (struct merge){.pass = pass, .experiment = experiment, .source = number};
	for (unsigned b = 0; b < source->block_count; b++) {
		uint64_t start = event_block_start(loaded->file, source, b) + loaded->start_offset;
		pass->turns = memory_room(pass->turns, pass->count, sizeof *pass->turns);
		pass->turns[pass->count++] = (struct turn){start, pass->merge_count, b};
	}
	pass->merges[pass->merge_count++].starts = memory_new(source->block_count, sizeof(uint64_t));
}

static void put_in_order(struct pass *pass)
{
	if (pass->count)
		qsort(pass->turns, pass->count, sizeof *pass->turns, by_start);
	for (size_t i = 0; i < pass->count; i++) {
		struct merge *merge = &pass->merges[pass->turns[i].merge];
		merge->starts[merge->count++] = pass->turns[i].start;
	}
}

/* Visits the sources that were added, and forgets them. */
static void visit_sources(struct pass *pass)
{
	put_in_order(pass);
	const struct ahead_work work = {pass->count, sizeof(struct decoded_block), decode, visit_empty, pass};
	pass->ahead = ahead_begin(&work);
	while (pass->next < pass->count) {
		struct merge *merge = open_next(pass);
		while (merge->open_count && time_of(&merge->open[0]) < next_begins(merge))
			hand_on(merge);
	}
	ahead_end(pass->ahead);
	for (uint32_t i = 0; i < pass->merge_count; i++) {
		free(pass->merges[i].starts);
		free(pass->merges[i].open);
	}
	free(pass->merges);
	free(pass->turns);
	pass->merges = 0;
	pass->turns = 0;
	pass->merge_count = 0;
	pass->next = pass->count = 0;
}

static void visit(struct pass *pass, struct data *data, enum kind kind, bool in_turn)
{
	visit_begin(&pass->visit, data, kind);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (unsigned s = 0; s < file->source_count; s++) {
			if (file->sources[s].kind != (int)kind)
				continue;
			add_source(pass, e, s);
			if (!in_turn)
				visit_sources(pass);
		}
	}
	if (in_turn)
		visit_sources(pass);
	visit_end(&pass->visit);
}

void data_visit_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	visit(&(struct pass){.visitor = visitor, .context = context}, data, kind, false);
}

void data_visit_in_turn(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	visit(&(struct pass){.visitor = visitor, .context = context}, data, kind, true);
}

void data_visit_threads_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	visit(&(struct pass){.visitor = visitor, .context = context, .by_thread = true}, data, kind, false);
}
