/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the blocks of each source of events by time, and lets the sources take turns: the one whose next event is the earliest
   goes on, for some events, or until another one's is. Blocks are decoded in parts, the smaller the more sources there are;
   other threads decode the next part of a block while the one before it is visited. */
#include "cores.h"
#include "errands.h"
#include "open_blocks.h"
#include "progress.h"
#include "storage.h"

#include <stdlib.h>

/* Events that are decoded at once of all sources together, and of one block; of one that has just been opened, which may have to
   wait long: writers take several blocks of a thread at once. */
enum { EVENTS = 65536, FEWEST = 64, MOST = 4096, FIRST = 8 };
/* Decoding takes less time than all that visitors do, so that more threads would have nothing to do; what few blocks take is not
   worth one; and a thread is woken for so many parts. */
enum { THREADS_MOST = 3, WORTH = 16, ENOUGH = 4 };
enum room_size { SMALL, LARGE, ROOM_SIZES };

/* A source of events: an experiment's file of a kind. */
struct source {
	const struct visit *visit;
	uint32_t experiment;
	unsigned number; /* of the experiment's sources */
	uint32_t order;  /* the one with the lower one goes first at one time */
	struct block_start *starts;
	unsigned next, count;
	struct open_blocks open;
};
/* A part of a block that is decoded meanwhile. */
struct next_part {
	struct errand errand; /* must be first */
	const struct visit *visit;
	struct visited_block block;
	struct event_cursor cursor;
	uint32_t most;
	struct decoded_block *room;
	struct next_part *next; /* of those that are not in use */
};
struct turns {
	struct errands *errands; /* 0: there are no other threads */
	struct next_part *parts; /* that are not in use */
	bool strict;             /* no source goes beyond another one's next event */
	data_visitor *visitor;
	void *context;
	struct source *sources; /* a heap: the one with the earliest event first */
	uint32_t count, capacity, part;
	struct rooms {
		struct decoded_block **all;
		uint32_t count, capacity;
	} unused[ROOM_SIZES]; /* for first parts, for others */
	size_t blocks, done;
};

static uint64_t next_begins(const struct source *source)
{
	return source->next < source->count ? source->starts[source->next].time : UINT64_MAX;
}

/* Nothing of the source is left that is earlier; UINT64_MAX: nothing is. */
static uint64_t next_time(const struct source *source)
{
	uint64_t begins = next_begins(source);
	uint64_t open = source->open.count ? open_block_time(&source->open.array[0]) : UINT64_MAX;
	return open < begins ? open : begins;
}

static void sink(struct turns *turns, uint32_t place)
{
	struct source *array = turns->sources;
	for (;;) {
		uint32_t least = place;
		for (uint32_t child = 2 * place + 1; child <= 2 * place + 2 && child < turns->count; child++) {
			uint64_t a = next_time(&array[child]), b = next_time(&array[least]);
			if (a < b || (a == b && array[child].order < array[least].order))
				least = child;
		}
		if (least == place)
			return;
		struct source source = array[place];
		array[place] = array[least];
		array[least] = source;
		place = least;
	}
}

static struct decoded_block *take_room(struct turns *turns, enum room_size size)
{
	struct rooms *rooms = &turns->unused[size];
	return rooms->count ? rooms->all[--rooms->count] : memory_new(1, sizeof(struct decoded_block));
}

static void give_back(struct turns *turns, struct decoded_block *room)
{
	struct rooms *rooms = &turns->unused[room->events.capacity > FIRST ? LARGE : SMALL];
	memory_reserve(rooms->all, rooms->count, rooms->capacity);
	rooms->all[rooms->count++] = room;
}

static void decode_errand(struct errand *errand)
{
	struct next_part *part = (struct next_part *)errand;
	visit_decode_part(part->visit, &part->block, &part->cursor, part->most, part->room);
}

/* Has the next part of the block decoded by another thread. */
static void send_for_next(struct turns *turns, const struct source *source, struct open_block *open)
{
	struct next_part *part = turns->parts;
	if (part)
		turns->parts = part->next;
	else
		part = memory_new(1, sizeof *part);
	*part = (struct next_part){.errand.run = decode_errand,
		.visit = source->visit,
		.block = {source->experiment, source->number, open->number},
		.cursor = open->cursor,
		.most = turns->part,
		.room = take_room(turns, LARGE)};
	open->ahead = part;
	errands_send(turns->errands, &part->errand);
}

static void take_next(struct turns *turns, struct open_block *open)
{
	struct next_part *part = open->ahead;
	errands_wait(turns->errands, &part->errand);
	give_back(turns, open->block);
	open->block = part->room;
	open->cursor = part->cursor;
	open->ahead = 0;
	part->next = turns->parts;
	turns->parts = part;
}

static void decode_now(struct turns *turns, const struct source *source, struct open_block *open)
{
	const struct visited_block block = {source->experiment, source->number, open->number};
	uint32_t most = open->cursor.begun ? turns->part : FIRST;
	if (most > FIRST && open->block->events.capacity <= FIRST) {
		give_back(turns, open->block);
		open->block = take_room(turns, LARGE);
	}
	visit_decode_part(source->visit, &block, &open->cursor, most, open->block);
}

/* Decodes the next part of a block. False: it has none. */
static bool decode(struct turns *turns, const struct source *source, struct open_block *open, uint64_t from)
{
	bool first = !open->cursor.begun;
	if (open->ahead)
		take_next(turns, open);
	else
		decode_now(turns, source, open);
	if (!open->block->some)
		return false;
	/* Until this part is used up, all other sources have their turns. */
	if (turns->errands && !first)
		send_for_next(turns, source, open);
	open_block_make_monotone(open->block, from);
	open->next = 0;
	return true;
}

static void open_next(struct turns *turns, struct source *source)
{
	struct open_block open = {.block = take_room(turns, SMALL), .number = source->starts[source->next++].block};
	progress_show(kind_row(source->visit->kind)->title, turns->done++, turns->blocks);
	progress_checkpoint();
	if (decode(turns, source, &open, 0))
		open_blocks_add(&source->open, &open);
	else
		give_back(turns, open.block);
}

/* Visits events of the first block, none but the first after `limit`. Returns whether a part of it is used up. */
static bool hand_on(struct turns *turns, struct source *source, uint64_t now, uint64_t limit)
{
	struct open_block *first = &source->open.array[0];
	const struct data_batch *batch = &first->block->batch;
	uint64_t begins = next_begins(source);
	uint32_t to = open_blocks_end(&source->open, begins < limit ? begins : limit);
	struct data_batch part = open_block_part(batch, first->next, to);
	part.now = now;
	turns->visitor(turns->context, &part);
	first->next = to;
	if (to < batch->count) {
		open_blocks_moved(&source->open);
		return false;
	}
	if (decode(turns, source, first, batch->time[to - 1])) {
		open_blocks_moved(&source->open);
		return true;
	}
	give_back(turns, first->block);
	open_blocks_remove(&source->open);
	return true;
}

/* The time of the last events that the first source may visit in its turn. */
static uint64_t end_of_turn(const struct turns *turns)
{
	uint64_t limit = UINT64_MAX;
	for (uint32_t child = 1; turns->strict && child <= 2 && child < turns->count; child++) {
		uint64_t next = next_time(&turns->sources[child]);
		next -= next && turns->sources[child].order < turns->sources[0].order;
		limit = next < limit ? next : limit;
	}
	return limit;
}

/* The turn of the source whose next event is the earliest of all. */
static void take_turn(struct turns *turns)
{
	struct source *source = &turns->sources[0];
	uint64_t now = next_time(source), limit = end_of_turn(turns);
	for (bool used_up = false; !used_up && next_time(source) <= limit;) {
		while (source->next < source->count && next_begins(source) <= next_time(source))
			open_next(turns, source);
		if (!source->open.count)
			break;
		used_up = hand_on(turns, source, now, limit);
	}
	if (next_time(source) == UINT64_MAX) {
		free(source->starts);
		free(source->open.array);
		*source = turns->sources[--turns->count];
	}
	sink(turns, 0);
}

/* The experiment's files of the visit's kind. */
static void add_sources(struct turns *turns, const struct visit *visit, uint32_t experiment, uint32_t order)
{
	const struct loaded_experiment *loaded = &visit->data->experiments[experiment];
	for (unsigned s = 0; s < loaded->file->source_count; s++) {
		const struct event_source *file = &loaded->file->sources[s];
		if (file->kind != (int)visit->kind || !file->block_count)
			continue;
		struct source source = {.visit = visit,
			.experiment = experiment,
			.number = s,
			.order = order,
			.starts = block_starts(loaded, s),
			.count = file->block_count};
		memory_reserve(turns->sources, turns->count, turns->capacity);
		turns->sources[turns->count++] = source;
		turns->blocks += source.count;
	}
}

static void free_rooms(struct rooms *rooms)
{
	for (uint32_t i = 0; i < rooms->count; i++) {
		visit_empty(rooms->all[i]);
		free(rooms->all[i]);
	}
	free(rooms->all);
}

static void take_turns(struct turns *turns)
{
	turns->part = EVENTS / (turns->count ? turns->count : 1);
	turns->part = turns->part < FEWEST ? FEWEST : turns->part > MOST ? MOST : turns->part;
	for (uint32_t place = turns->count; place-- > 0;)
		sink(turns, place);
	unsigned others = turns->blocks < WORTH ? 0 : cores() - 1;
	if (others)
		turns->errands = errands_begin(
			others < THREADS_MOST ? others : THREADS_MOST, turns->count > ENOUGH ? ENOUGH : 1);
	while (turns->count)
		take_turn(turns);
	if (others)
		errands_end(turns->errands);
	for (struct next_part *part = turns->parts, *next; part; part = next) {
		next = part->next;
		free(part);
	}
	for (unsigned size = 0; size < ROOM_SIZES; size++)
		free_rooms(&turns->unused[size]);
	free(turns->sources);
}

void data_visit_in_turn(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	struct turns turns = {.visitor = visitor, .context = context};
	struct visit visit;
	visit_begin(&visit, data, kind);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		add_sources(&turns, &visit, e, e);
	take_turns(&turns);
	visit_end(&visit);
}

void data_visit_kinds_in_time(struct data *data, uint32_t experiment, const enum kind *kinds, unsigned kind_count,
	data_visitor *visitor, void *context)
{
	struct turns turns = {.strict = true, .visitor = visitor, .context = context};
	struct visit *visits = memory_new(kind_count, sizeof *visits);
	for (unsigned k = 0; k < kind_count; k++) {
		visit_begin(&visits[k], data, kinds[k]);
		add_sources(&turns, &visits[k], experiment, k);
	}
	take_turns(&turns);
	for (unsigned k = 0; k < kind_count; k++)
		visit_end(&visits[k]);
	free(visits);
}
