/* SPDX-License-Identifier: Apache-2.0 */
/* Sealing what a writer has given back, for tests that want an events file without open blocks. */
#ifndef SEAL_H
#define SEAL_H

#include "block_pool.h"
#include "event_file.h"

/* Seals the blocks that streams have given back. Streams may still append, and give back again. */
static inline void seal_given_back(struct event_file *file)
{
	for (struct block_header *block; (block = block_pool_take(&file->with_room));) {
		event_file_seal_block(block);
		event_file_unmap_blocks(block, block->size);
	}
}

#endif
