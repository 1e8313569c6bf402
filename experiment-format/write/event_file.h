/* SPDX-License-Identifier: Apache-2.0 */
/* The binary files of an experiment while the process that they describe runs: creating them, and taking
   blocks. Blocks are allocated on disk before they are mapped MAP_SHARED, so a full disk is an error here and
   never a SIGBUS; a file size limit is looked at first, so it never is a SIGXFSZ. Raw system calls only;
   async-signal-safe; lock-free. */
#ifndef EVENT_FILE_H
#define EVENT_FILE_H

#include "block_pool.h"
#include "experiment_directory.h"
#include "kinds.h"
#include "layout.h"
#include <stdbool.h>
#include <stdint.h>

struct event_file {
	struct experiment_directory *directory;
	char name[64];
	unsigned field_count; /* fields of an event, from the description */
	bool first_is_address;
	uint32_t header_size;
	uint64_t next;        /* atomic: sequence of the next block << 32 | its page */
	uint64_t *space_used; /* atomic: bytes of all blocks are added here; 0: nowhere */
	uint64_t *tallies;    /* atomic, each: of the experiment, as tallies_create() gives; 0: none */
	uint32_t full;        /* atomic: 1 = no more blocks (disk full or limit) */
	void (*time_now)(struct time_triple *now); /* fills in a block's time; async-signal-safe */
	struct block_pool with_room;               /* last: most of it is never touched */
};

/* Creates DIRECTORY/NAME (it must not exist) with its header and description. *file is zero, or that of a file that is not
   used any more. False and *code, an errno
   value, on failure. The directory must outlive the file. Not in handlers. */
bool event_file_create(struct event_file *file, struct experiment_directory *directory, const char *name,
	const char *description, uint32_t description_size, void (*time_now)(struct time_triple *), int *code);

/* Gives a mapped block with room for at least one event: a partly filled one that was given back (*count is 1 then), else the
   first of *count fresh ones, or of fewer if there is no room for them, that lie one after the other. They have `size` bytes
   each (a multiple of PAGE_UNIT, at most BLOCK_MAX; only such large ones come by several) and begin with `thread`. 0: none. */
struct block_header *event_file_take_blocks(struct event_file *file, uint32_t size, uint32_t *count, uint32_t thread);
/* Whoever needs a block next may go on in this one, if it has room. The caller must not touch it again. */
void event_file_give_block(struct event_file *file, struct block_header *block);
/* Sets the checksum, marks it sealed. It stays mapped. */
void event_file_seal_block(struct block_header *block);
/* Blocks one after the other, or a single one, of `size` bytes together: sealed ones, that nobody touches again. */
void event_file_unmap_blocks(struct block_header *first, size_t size);

/* The block of as many bytes that lies `number` blocks after this one. */
static inline struct block_header *event_file_block_after(struct block_header *block, uint32_t number, uint32_t size)
{
	return (struct block_header *)((char *)block + (size_t)number * size);
}

/* Payload bytes that one event can take at most, with a RECORD_THREAD before it. */
static inline uint32_t event_size_max(const struct event_file *file)
{
	return (1 + VARINT_MAX) + 1 + (3 + file->field_count) * VARINT_MAX;
}

/* The next block of the "stacks" file, mapped, and its index (from 0). 0: none. Never sealed. */
struct block_header *event_file_take_stack_block(struct event_file *file, uint32_t *index);

/* Creates "counters" and maps its values (TALLY_COUNT of them, zero). 0 and *code on failure. Without a description its
   tallies are those that the founder's log.xml names. */
uint64_t *tallies_create(struct experiment_directory *directory, bool described, int *code);
void tallies_unmap(uint64_t *tallies);

#endif
