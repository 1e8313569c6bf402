/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the blocks of each experiment by time, and lets the experiments take turns: the one whose next event is the earliest goes
   on for some events. Blocks are decoded in parts, which are the smaller the more experiments there are. */
#include "open_blocks.h"
#include "progress.h"
#include "storage.h"

#include <stdlib.h>

/* Events that are decoded at once of all sources together, and of one block; of one that has just been opened, which may have to
   wait long: writers take several blocks of a thread at once. */
enum { EVENTS = 65536, FEWEST = 64, MOST = 4096, FIRST = 8 };
enum room_size { SMALL, LARGE, ROOM_SIZES };

/* A source of events: an experiment's file of the kind. */
struct source {
	uint32_t experiment;
	unsigned number; /* of the experiment's sources */
	struct block_start *starts;
	unsigned next, count;
	struct open_blocks open;
};
struct turns {
	struct visit visit;
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
			if (a < b || (a == b && array[child].experiment < array[least].experiment))
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

/* Decodes the next part of a block. False: it has none. */
static bool decode(struct turns *turns, const struct source *source, struct open_block *open, uint64_t from)
{
	const struct visited_block block = {source->experiment, source->number, open->number};
	uint32_t most = open->cursor.begun ? turns->part : FIRST;
	if (most > FIRST && open->block->events.capacity <= FIRST) {
		give_back(turns, open->block);
		open->block = take_room(turns, LARGE);
	}
	visit_decode_part(&turns->visit, &block, &open->cursor, most, open->block);
	if (!open->block->some)
		return false;
	open_block_make_monotone(open->block, from);
	open->next = 0;
	return true;
}

static void open_next(struct turns *turns, struct source *source)
{
	struct open_block open = {.block = take_room(turns, SMALL), .number = source->starts[source->next++].block};
	progress_show(kind_row(turns->visit.kind)->title, turns->done++, turns->blocks);
	progress_checkpoint();
	if (decode(turns, source, &open, 0))
		open_blocks_add(&source->open, &open);
	else
		give_back(turns, open.block);
}

/* Visits events of the first block. Returns whether a part of it is used up. */
static bool hand_on(struct turns *turns, struct source *source, uint64_t now)
{
	struct open_block *first = &source->open.array[0];
	const struct data_batch *batch = &first->block->batch;
	uint32_t to = open_blocks_end(&source->open, next_begins(source));
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

/* The turn of the source whose next event is the earliest of all. */
static void take_turn(struct turns *turns)
{
	struct source *source = &turns->sources[0];
	uint64_t now = next_time(source);
	for (bool used_up = false; !used_up;) {
		while (source->next < source->count && next_begins(source) <= next_time(source))
			open_next(turns, source);
		if (!source->open.count)
			break;
		used_up = hand_on(turns, source, now);
	}
	if (next_time(source) == UINT64_MAX) {
		free(source->starts);
		free(source->open.array);
		*source = turns->sources[--turns->count];
	}
	sink(turns, 0);
}

static void add_source(struct turns *turns, uint32_t experiment, unsigned number)
{
	const struct loaded_experiment *loaded = &turns->visit.data->experiments[experiment];
	struct source source = {
		.experiment = experiment, .number = number, .count = loaded->file->sources[number].block_count};
	if (!source.count)
		return;
	source.starts = block_starts(loaded, number);
	memory_reserve(turns->sources, turns->count, turns->capacity);
	turns->sources[turns->count++] = source;
	turns->blocks += source.count;
}

static void free_rooms(struct rooms *rooms)
{
	for (uint32_t i = 0; i < rooms->count; i++) {
		visit_empty(rooms->all[i]);
		free(rooms->all[i]);
	}
	free(rooms->all);
}

void data_visit_in_turn(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	struct turns turns = {.visitor = visitor, .context = context};
	visit_begin(&turns.visit, data, kind);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (unsigned s = 0; s < file->source_count; s++)
			if (file->sources[s].kind == (int)kind)
				add_source(&turns, e, s);
	}
	turns.part = EVENTS / (turns.count ? turns.count : 1);
	turns.part = turns.part < FEWEST ? FEWEST : turns.part > MOST ? MOST : turns.part;
	for (uint32_t place = turns.count; place-- > 0;)
		sink(&turns, place);
	while (turns.count)
		take_turn(&turns);
	for (unsigned size = 0; size < ROOM_SIZES; size++)
		free_rooms(&turns.unused[size]);
	free(turns.sources);
	visit_end(&turns.visit);
}
