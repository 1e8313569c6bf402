/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the heap events in time, with the blocks and mappings of the process that they are of. */
#include "heap_replay.h"
#include "heap_blocks.h"
#include "heap_ranges.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* A release that the thread's next event may take back. */
struct undo {
	uint32_t thread;
	struct heap_range *ranges;
	uint64_t count;
};

struct replay {
	const struct heap_listener *listener;
	const struct loaded_experiment *experiment; /* whose events these are; 0: none yet */
	struct heap_blocks blocks;
	struct heap_ranges ranges;
	uint64_t mappings; /* so far */
	struct heap_oddities oddities;
	struct heap_block *last; /* by thread: the block that it released last */
	uint64_t last_capacity;
	struct undo undo;
	uint64_t time;   /* of the present event */
	uint32_t thread; /* likewise */
};

static void tell(const struct replay *replay, void (*listen)(void *, uint64_t, const struct heap_piece *),
	const struct heap_piece *piece)
{
	struct heap_piece told = *piece;
	told.thread = replay->thread;
	if (listen)
		listen(replay->listener->context, replay->time, &told);
}

static struct heap_piece piece_of_block(const struct heap_block *block)
{
	return (struct heap_piece){.address = block->address,
		.size = block->size,
		.stack = block->stack,
		.counts = block->counts,
		.path = block->path};
}

static struct heap_piece piece_of_range(const struct heap_range *range)
{
	return (struct heap_piece){.address = range->start,
		.size = heap_range_size(range),
		.stack = range->stack,
		.mapping = true,
		.counts = range->counts};
}

static void add_block(struct replay *replay, const struct heap_block *block, bool again)
{
	struct heap_block old;
	struct heap_piece piece;
	if (heap_blocks_add(&replay->blocks, block, &old)) {
		/* An address cannot be given twice without a release between: the release was not seen, for instance one from a
		   signal handler. It is made up for here, so that the bytes in use do not drift away. */
		replay->oddities.missed_releases += block->counts;
		piece = piece_of_block(&old);
		tell(replay, replay->listener->released, &piece);
	}
	piece = piece_of_block(block);
	piece.again = again;
	tell(replay, replay->listener->allocated, &piece);
}

/* The place where the block is kept that a thread has released last. */
static struct heap_block *last_of(struct replay *replay, uint32_t thread)
{
	if (thread >= replay->last_capacity) {
		uint64_t capacity = replay->last_capacity ? replay->last_capacity : 64;
		while (capacity <= thread)
			capacity *= 2;
		replay->last = memory_resize(replay->last, capacity, sizeof *replay->last);
		memset(replay->last + replay->last_capacity, 0,
			(capacity - replay->last_capacity) * sizeof *replay->last);
		replay->last_capacity = capacity;
	}
	return &replay->last[thread];
}

static void release_block(struct replay *replay, uint64_t address, uint32_t thread, bool counts)
{
	struct heap_block *block = last_of(replay, thread);
	if (!heap_blocks_take(&replay->blocks, address, block)) {
		replay->oddities.unknown_releases += counts;
		block->address = 0;
		return;
	}
	struct heap_piece piece = piece_of_block(block);
	tell(replay, replay->listener->released, &piece);
}

enum { PAGE = 4096 };

/* The kernel maps whole pages, and munmap() takes whole pages away. */
static uint64_t page_end(const struct replay *replay, uint64_t address)
{
	uint64_t page = replay->experiment->file->system->page_size;
	if (page < PAGE || page & (page - 1))
		page = PAGE;
	return (address + page - 1) & ~(page - 1);
}

static void release_range(void *context, const struct heap_range *range)
{
	struct replay *replay = context;
	struct undo *undo = &replay->undo;
	struct heap_piece piece = piece_of_range(range);
	undo->ranges = memory_room(undo->ranges, undo->count, sizeof *undo->ranges);
	undo->ranges[undo->count++] = *range;
	tell(replay, replay->listener->released, &piece);
}

static void unmap(struct replay *replay, uint64_t address, uint64_t size, uint32_t thread)
{
	replay->undo.thread = thread;
	replay->undo.count = 0;
	heap_ranges_take(&replay->ranges, address, page_end(replay, address + size), release_range, replay);
}

static void map(struct replay *replay, const struct heap_block *mapping, uint64_t what)
{
	uint64_t end = mapping->address + mapping->size;
	struct heap_range range = {.start = mapping->address,
		/* brk() moves the break by bytes; the next brk() continues within the same page. */
		.end = what == STATE_VALUE(HEAP, what, brk) ? end : page_end(replay, end),
		.mapping = replay->mappings++,
		.stack = mapping->stack,
		.counts = mapping->counts};
	range.slack = range.end - end;
	/* mmap() with MAP_FIXED replaces what was there. */
	heap_ranges_take(&replay->ranges, range.start, range.end, release_range, replay);
	replay->undo.count = 0;
	if (range.start < range.end)
		heap_ranges_add(&replay->ranges, &range);
	struct heap_piece piece = piece_of_range(&range);
	tell(replay, replay->listener->allocated, &piece);
}

/* The thread's last release did not happen. */
static void take_back(struct replay *replay, uint64_t address, uint64_t size, uint32_t thread)
{
	struct heap_block *block = last_of(replay, thread);
	if (!size && block->address == address && address) {
		struct heap_block again = *block;
		block->address = 0;
		add_block(replay, &again, true);
	}
	if (!size || replay->undo.thread != thread)
		return;
	for (uint64_t i = 0; i < replay->undo.count; i++) {
		struct heap_piece piece = piece_of_range(&replay->undo.ranges[i]);
		piece.again = true;
		heap_ranges_add(&replay->ranges, &replay->undo.ranges[i]);
		tell(replay, replay->listener->allocated, &piece);
	}
	replay->undo.count = 0;
}

static void tell_left(struct replay *replay)
{
	const struct heap_listener *listener = replay->listener;
	/* A mapping of which pieces are left is one leak, however many pieces they are. */
	bool *told = listener->left ? memory_new(replay->mappings, sizeof *told) : 0;
	for (uint64_t i = 0; listener->left && i < replay->blocks.count; i++) {
		struct heap_piece piece = piece_of_block(&replay->blocks.array[i]);
		if (replay->blocks.array[i].address)
			listener->left(listener->context, &piece);
	}
	for (uint64_t i = 0; listener->left && i < replay->ranges.count; i++) {
		const struct heap_range *range = &replay->ranges.ranges[i];
		struct heap_piece piece = piece_of_range(range);
		piece.again = told[range->mapping];
		told[range->mapping] = true;
		listener->left(listener->context, &piece);
	}
	free(told);
}

static void end_process(struct replay *replay)
{
	if (!replay->experiment)
		return;
	tell_left(replay);
	if (replay->listener->end)
		replay->listener->end(replay->listener->context, replay->experiment, &replay->oddities);
	heap_blocks_free(&replay->blocks);
	heap_ranges_free(&replay->ranges);
	replay->oddities = (struct heap_oddities){0};
	replay->mappings = replay->undo.count = 0;
	if (replay->last)
		memset(replay->last, 0, replay->last_capacity * sizeof *replay->last);
}

static void play(void *context, const struct data_batch *batch, const bool *kept)
{
	struct replay *replay = context;
	const uint64_t *address = batch->field[FIELD_INDEX(HEAP, address)];
	const uint64_t *what = batch->field[FIELD_INDEX(HEAP, what)];
	const uint64_t *size = batch->field[FIELD_INDEX(HEAP, size)];
	const uint64_t *error = batch->field[FIELD_INDEX(HEAP, error)];
	if (batch->experiment != replay->experiment) {
		end_process(replay);
		replay->experiment = batch->experiment;
		if (replay->listener->begin)
			replay->listener->begin(replay->listener->context, replay->experiment);
	}
	const struct metric_keys *keys = replay->listener->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_HEAP, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		replay->time = batch->time[i];
		replay->thread = batch->thread[i];
		struct heap_block block = {.address = address[i],
			.size = size[i],
			.stack = key[i],
			.path = batch->stack[i] & 0x7fffffff,
			.counts = !kept || kept[i]};
		if (what[i] == STATE_VALUE(HEAP, what, free))
			release_block(replay, address[i], batch->thread[i], block.counts);
		else if (heap_allocates(what[i], error[i]) && address[i])
			heap_effect_of(what[i]) == HEAP_NEW_RANGE ? map(replay, &block, what[i])
								  : add_block(replay, &block, false);
		else if (what[i] == STATE_VALUE(HEAP, what, unmap))
			unmap(replay, address[i], size[i], batch->thread[i]);
		else if (what[i] == STATE_VALUE(HEAP, what, kept))
			take_back(replay, address[i], size[i], batch->thread[i]);
		if (replay->listener->event)
			replay->listener->event(replay->listener->context);
	}
}

void heap_replay(struct data *data, const struct event_filter *filter, const struct heap_listener *listener)
{
	struct replay replay = {.listener = listener};
	event_filter_mark_in_time(data, KIND_HEAP, filter, play, &replay);
	end_process(&replay);
	free(replay.last);
	free(replay.undo.ranges);
}
