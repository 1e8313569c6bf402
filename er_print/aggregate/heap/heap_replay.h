/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the heap events of each process in the order of time: which block or mapping a release ends, and what is left at
   the end. Blocks are what malloc and its like gave; mappings what the program got from the kernel by itself, of which
   parts may be given back. */
#ifndef HEAP_REPLAY_H
#define HEAP_REPLAY_H

#include "event_filter.h"
#include "metrics.h"

/* The effect of a state of heap events on the program's memory. A state that is added to kinds.def gets a case here; a unit test
   asks for each. */
enum heap_effect {
	HEAP_UNKNOWN,     /* a newer collector's state */
	HEAP_NEW_BLOCK,   /* from an allocator */
	HEAP_NEW_RANGE,   /* a mapping, by the program itself */
	HEAP_RELEASE,     /* of a block or of a part of a mapping; or one that is taken back */
	HEAP_OF_ALLOCATOR /* memory that the allocator gets or gives back for itself */
};
static inline enum heap_effect heap_effect_of(uint64_t what)
{
	switch (what) {
	case STATE_VALUE(HEAP, what, malloc):
	case STATE_VALUE(HEAP, what, calloc):
	case STATE_VALUE(HEAP, what, realloc):
	case STATE_VALUE(HEAP, what, memalign):
	case STATE_VALUE(HEAP, what, new):
		return HEAP_NEW_BLOCK;
	case STATE_VALUE(HEAP, what, mmap):
	case STATE_VALUE(HEAP, what, mremap):
	case STATE_VALUE(HEAP, what, brk):
		return HEAP_NEW_RANGE;
	case STATE_VALUE(HEAP, what, free):
	case STATE_VALUE(HEAP, what, unmap):
	case STATE_VALUE(HEAP, what, kept):
		return HEAP_RELEASE;
	case STATE_VALUE(HEAP, what, growth):
	case STATE_VALUE(HEAP, what, shrink):
		return HEAP_OF_ALLOCATOR;
	default:
		return HEAP_UNKNOWN;
	}
}

/* Whether an event gave the program memory. */
static inline bool heap_allocates(uint64_t what, uint64_t error)
{
	enum heap_effect effect = heap_effect_of(what);
	return !error && (effect == HEAP_NEW_BLOCK || effect == HEAP_NEW_RANGE);
}

/* A block, or the part of a mapping that is still there. */
struct heap_piece {
	uint64_t address, size;
	uint32_t stack; /* that allocated it, or the key of the allocation */
	bool mapping;
	bool counts;     /* the filter keeps its allocation */
	uint32_t path;   /* of a block: the stack that allocated it */
	uint32_t thread; /* of the event that is told */
	bool again;      /* its allocation was told before, with another piece or because it was taken for released */
};

/* Events that do not fit together, of those that the filter lets through. */
struct heap_oddities {
	uint64_t unknown_releases; /* of blocks that were not allocated while recording */
	uint64_t missed_releases;  /* blocks whose address was allocated again without a release in between */
};
/* The replay calls these functions; one that is 0 is left out. Times are those of batches. */
struct heap_listener {
	void *context;
	/* Before all of a process's pieces, and after them. */
	void (*begin)(void *context, const struct loaded_experiment *experiment);
	void (*end)(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities);
	void (*allocated)(void *context, uint64_t time, const struct heap_piece *piece);
	void (*released)(void *context, uint64_t time, const struct heap_piece *piece);
	void (*event)(void *context);                                /* after each event, whatever it did */
	void (*left)(void *context, const struct heap_piece *piece); /* at the end of its process */
	const struct metric_keys *keys; /* pieces have these keys in place of their stacks; 0: their stacks */
};
void heap_replay(struct data *data, const struct event_filter *filter, const struct heap_listener *listener);

#endif
