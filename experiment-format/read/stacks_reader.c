/* SPDX-License-Identifier: Apache-2.0 */
/* The file "stacks": the nodes of the tree of calling contexts, each checked on its own. */
#include "input.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Blocks are taken in order, so a long hole is damage; and memory stays in proportion to what is there. */
#define HOLE_BLOCKS_MAX 64

/* Makes room for the nodes of one more block, the last one so far. */
static void nodes_grow(struct stack_nodes *stacks, uint64_t blocks)
{
	size_t count = 1 + blocks * STACK_NODES_PER_BLOCK;
	if (count <= stacks->capacity)
		return;
	size_t capacity = count + count / 2;
	stacks->node = memory_resize(stacks->node, capacity, sizeof(*stacks->node));
	memset(stacks->node + stacks->capacity, 0, (capacity - stacks->capacity) * sizeof(*stacks->node));
	stacks->capacity = capacity;
}

static bool node_usable(const struct stack_node *node, uint32_t id)
{
	bool root = node->flags & NODE_ROOT;
	/* A caller is always written before its callee. This also makes a circle of damaged nodes impossible. */
	return node->check == stack_node_check(node->pc, node->parent, node->flags) && node->parent < id &&
	       root == !node->parent;
}

static void check_nodes(struct experiment *experiment)
{
	struct stack_nodes *stacks = &experiment->stacks;
	uint32_t last = 0;
	for (uint32_t id = 1; id < stacks->count; id++) {
		struct stack_node *node = &stacks->node[id];
		if (!node->pc)
			continue;
		last = id;
		if (!node_usable(node, id)) {
			node->pc = 0;
			damage_count(experiment, &experiment->damage.nodes_bad, 1, "%s: node %u is damaged",
				STACKS_FILE, id);
		} else if (node->parent && !stacks->node[node->parent].pc) {
			damage_count(experiment, &experiment->damage.nodes_bad, 1,
				"%s: node %u, the caller of %u, is damaged", STACKS_FILE, node->parent, id);
		}
	}
	/* The last block is zeros behind its last node: blocks are allocated whole. */
	stacks->count = last + 1;
	stacks->capacity = stacks->count;
	stacks->node = memory_resize(stacks->node, stacks->capacity, sizeof(*stacks->node));
}

/* Reads one block's nodes to their places. */
static void read_block(struct experiment *experiment, int fd, uint64_t start, uint64_t block)
{
	struct stack_nodes *stacks = &experiment->stacks;
	size_t first = 1 + block * STACK_NODES_PER_BLOCK, size = STACK_NODES_PER_BLOCK * sizeof(struct stack_node);
	nodes_grow(stacks, block + 1);
	size_t got = input_read(fd, &stacks->node[first], size, start + block * BLOCK_MAX + BLOCK_HEADER_SIZE);
	size_t half = got % sizeof(struct stack_node);
	memset((char *)&stacks->node[first] + got - half, 0, half);
	stacks->count = (uint32_t)(first + got / sizeof(struct stack_node));
	if (half)
		damage_count(experiment, &experiment->damage.bytes_skipped, half, "%s is cut", STACKS_FILE);
}

static void read_nodes(struct experiment *experiment, int fd, uint64_t start)
{
	uint64_t size = input_size(fd);
	uint64_t most = UINT32_MAX / STACK_NODES_PER_BLOCK;
	for (uint64_t block = 0; block < most; block++) {
		uint64_t offset = start + block * BLOCK_MAX;
		uint64_t data = offset < size ? input_skip_hole(fd, offset, size) : size;
		if (data >= size)
			return;
		uint64_t skipped = data > offset ? (data - offset) / BLOCK_MAX : 0;
		if (skipped > HOLE_BLOCKS_MAX) {
			damage_count(experiment, &experiment->damage.bytes_skipped, size - data, "%s has a hole",
				STACKS_FILE);
			return;
		}
		block += skipped;
		read_block(experiment, fd, start, block);
	}
}

void stacks_read(struct experiment *experiment)
{
	struct described_file file;
	struct error error;
	nodes_grow(&experiment->stacks, 0);
	experiment->stacks.count = 1;
	int fd = input_open(experiment->path, STACKS_FILE);
	if (fd < 0) {
		part_is_missing(experiment, &experiment->damage.nodes_bad, STACKS_FILE);
		return;
	}
	uint64_t start = PAGE_UNIT;
	if (described_file_read(fd, false, &file, &error))
		start = file.header.header_size;
	else if (described_file_begun(fd))
		damage_count(experiment, &experiment->damage.blocks_bad, 1, "%s: %s", STACKS_FILE, error.text);
	free(file.text);
	read_nodes(experiment, fd, start);
	check_nodes(experiment);
	close(fd);
}

const struct stack_node *experiment_stack_node(const struct experiment *experiment, uint32_t id)
{
	const struct stack_nodes *stacks = &experiment->stacks;
	return id && id < stacks->count && stacks->node[id].pc ? &stacks->node[id] : 0;
}
