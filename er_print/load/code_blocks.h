/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The basic blocks of a function, where somebody other than its code says what they are: a feed of samples. Places are offsets in
   bytes from the function's start. */
#ifndef CODE_BLOCKS_H
#define CODE_BLOCKS_H

#include "storage.h"
#include <stdbool.h>
#include <stdint.h>

struct code_block {
	uint64_t start, end;      /* half-open */
	uint32_t first, count;    /* of its successors, in `successors` */
	bool has_unknown_targets; /* it may go elsewhere as well */
	bool returns;             /* it may go back to the caller */
	bool is_pad;              /* exceptions lead to it, and nothing else does */
};
struct code_blocks {
	struct code_block *blocks; /* ascending, none overlapping */
	uint32_t count;
	uint64_t *successors; /* starts of blocks */
	uint32_t successor_count;
	uint64_t *instructions; /* starts of instructions, ascending; without them each has instruction_size bytes */
	uint32_t instruction_count;
	uint32_t instruction_size;
};

/* Frees the arrays of blocks that were made with malloc. */
void code_blocks_free(struct code_blocks *blocks);
/* A copy in the arena. */
const struct code_blocks *code_blocks_copy(const struct code_blocks *blocks, struct arena *arena);
/* Different blocks have different numbers, but for chance. */
uint64_t code_blocks_hash(const struct code_blocks *blocks);

#endif
