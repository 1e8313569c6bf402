/* SPDX-License-Identifier: Apache-2.0 */
/* Looking up and inserting calling contexts, and handing out node ids from the file's blocks. */
#include "context_tree.h"
#include "collector.h"
#include "pages.h"

/* The part of a node that a lookup needs, by id. */
struct link {
	uint64_t frame;
	uint32_t parent, next; /* next: in the chain of its bucket */
};
#define LINKS_PER_CHUNK 4096u
#define CHUNK_SIZE      (LINKS_PER_CHUNK * sizeof(struct link))
#define CHUNKS          16384u /* 67 million contexts: a file of 1 GB */
#define BLOCKS          (CHUNKS + CHUNKS / 512)

/* A target may lock all its memory, or have little of it: buckets come as contexts do. */
#define BUCKETS           (1u << 22)
#define BUCKETS_PER_GROUP 4096u
#define GROUP_SIZE        (BUCKETS_PER_GROUP * sizeof(uint32_t))
#define GROUPS            (BUCKETS / BUCKETS_PER_GROUP)

/* Children of one node are spread over this many buckets after the node's own, so that a small tree touches few pages. */
#define SPREAD_BITS 10

static struct event_file *file;
static void *groups[GROUPS]; /* atomic, each: buckets, uint32_t */
static uint32_t group_limit; /* atomic: groups from here on were never mapped */
static void *chunks[CHUNKS]; /* atomic, each: struct link */
static struct stack_node *blocks[BLOCKS];
static uint32_t block_limit; /* atomic: blocks used so far, for context_tree_start() */
static uint64_t position;    /* atomic: (block + 1) << 32 | nodes of it that are given out */
static uint64_t spare;       /* atomic: block + 1 of a block that lost the race to be next; 0: none */

static struct link *link_of(uint32_t id)
{
	struct link *chunk = chunks[id / LINKS_PER_CHUNK];
	return &chunk[id % LINKS_PER_CHUNK];
}

static void let_go(void)
{
	for (uint32_t i = 0; i < block_limit; i++) {
		if (blocks[i])
			pages_unmap((char *)blocks[i] - BLOCK_HEADER_SIZE, BLOCK_MAX);
		blocks[i] = 0;
	}
	for (uint32_t i = 0; block_limit && i <= block_limit && i < CHUNKS; i++) {
		if (!chunks[i])
			continue;
		pages_unmap(chunks[i], CHUNK_SIZE);
		chunks[i] = 0;
	}
	for (uint32_t i = 0; i < group_limit; i++) {
		if (!groups[i])
			continue;
		pages_unmap(groups[i], GROUP_SIZE);
		groups[i] = 0;
	}
	block_limit = group_limit = 0;
	position = spare = 0;
}

/* The memory at *place, mapped if it is not there yet. If two threads do so at once, one of them wins. 0: no memory. */
static void *mapped_at(void **place, size_t size)
{
	void *now = __atomic_load_n(place, __ATOMIC_ACQUIRE), *fresh;
	if (now)
		return now;
	fresh = pages_map(size);
	if (!fresh || __atomic_compare_exchange_n(place, &now, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	pages_unmap(fresh, size);
	return now;
}

/* Raises *limit to `least`. */
static void raise(uint32_t *limit, uint32_t least)
{
	uint32_t now = __atomic_load_n(limit, __ATOMIC_RELAXED);
	while (now < least &&
		!__atomic_compare_exchange_n(limit, &now, least, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Short processes need no more than the start: what is not used is not looked at, as each first touch of a page counts. */
bool context_tree_start(struct event_file *stacks)
{
	let_go();
	file = stacks;
	group_limit = 1;
	groups[0] = pages_map(GROUP_SIZE);
	return groups[0];
}

bool context_tree_is_empty(void)
{
	return !__atomic_load_n(&position, __ATOMIC_RELAXED);
}

static bool chunk_ready(uint32_t id)
{
	return mapped_at(&chunks[id / LINKS_PER_CHUNK], CHUNK_SIZE);
}

/* 0: no memory for it. */
static inline uint32_t *bucket_of(uint32_t parent, uint64_t frame)
{
	uint32_t spread = (uint32_t)(frame * 0x9E3779B97F4A7C15ull >> (64 - SPREAD_BITS));
	uint32_t index = (parent + spread) % BUCKETS;
	uint32_t *group = __atomic_load_n(&groups[index / BUCKETS_PER_GROUP], __ATOMIC_ACQUIRE);
	if (__builtin_expect(!group, 0)) {
		raise(&group_limit, index / BUCKETS_PER_GROUP + 1);
		group = mapped_at(&groups[index / BUCKETS_PER_GROUP], GROUP_SIZE);
		if (!group)
			return 0;
	}
	return &group[index % BUCKETS_PER_GROUP];
}

/* A block after block `last` with room for its links. Returns its index plus 1; 0: none. */
static uint64_t take_block(uint64_t last)
{
	struct block_header *header;
	uint32_t index;
	uint64_t block = __atomic_exchange_n(&spare, 0, __ATOMIC_ACQ_REL);
	if (block > last) /* an earlier one would give a child a smaller id than its parent's: it stays empty */
		return block;
	header = event_file_take_stack_block(file, &index);
	if (!header || index >= BLOCKS ||
		((uint64_t)index + 1) * STACK_NODES_PER_BLOCK >= (uint64_t)CHUNKS * LINKS_PER_CHUNK)
		return 0;
	blocks[index] = (struct stack_node *)((char *)header + BLOCK_HEADER_SIZE);
	raise(&block_limit, index + 1);
	if (!chunk_ready(index * STACK_NODES_PER_BLOCK + 1) || !chunk_ready((index + 1) * STACK_NODES_PER_BLOCK))
		return 0;
	return (uint64_t)index + 1;
}

/* A fresh id and the place of its node. 0: no memory or disk. */
static uint32_t take_node(struct stack_node **node)
{
	uint64_t now = __atomic_load_n(&position, __ATOMIC_ACQUIRE), block;
	for (;;) {
		if (now && (uint32_t)now < STACK_NODES_PER_BLOCK) {
			if (!__atomic_compare_exchange_n(
				    &position, &now, now + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				continue;
			block = (now >> 32) - 1;
			*node = &blocks[block][(uint32_t)now];
			return (uint32_t)(block * STACK_NODES_PER_BLOCK + (uint32_t)now + 1);
		}
		block = take_block(now >> 32);
		if (!block)
			return 0;
		if (__atomic_compare_exchange_n(
			    &position, &now, block << 32, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			now = block << 32;
		else
			__atomic_store_n(&spare, block, __ATOMIC_RELEASE);
	}
}

static uint16_t flags_of(uint64_t frame)
{
	if ((frame & CONTEXT_JOIN) == CONTEXT_JOIN)
		return (uint16_t)(NODE_JOIN | (frame & CONTEXT_HEURISTIC ? NODE_TASK : 0));
	if (context_is_wait(frame))
		return NODE_WAIT;
	return (uint16_t)((frame & CONTEXT_ROOT ? NODE_ROOT : 0) | (frame & CONTEXT_EXACT ? NODE_EXACT : 0) |
			  (frame & CONTEXT_HEURISTIC ? NODE_HEURISTIC : 0) |
			  (frame & CONTEXT_KERNEL ? NODE_KERNEL : 0));
}

static uint64_t pc_of(uint64_t frame)
{
	return (frame & CONTEXT_ADDRESS) | (frame & CONTEXT_KERNEL ? ~CONTEXT_ADDRESS : 0);
}

/* The node is in the file before its id can be found, so before an event can carry it. */
static uint32_t make_node(uint32_t parent, uint64_t frame)
{
	struct stack_node *node;
	uint32_t id = take_node(&node);
	if (!id)
		return 0;
	struct link *link = link_of(id);
	link->frame = frame;
	link->parent = parent;
	node->parent = parent;
	node->flags = flags_of(frame);
	node->check = stack_node_check(pc_of(frame), parent, node->flags);
	__atomic_store_n(&node->pc, pc_of(frame), __ATOMIC_RELEASE);
	count(TALLY_stack_nodes, 1);
	return id;
}

/* Searches a chain from `id` up to, not including, `end`. */
static uint32_t search(uint32_t id, uint32_t end, uint32_t parent, uint64_t frame)
{
	while (id != end) {
		const struct link *link = link_of(id);
		if (link->frame == frame && link->parent == parent)
			return id;
		id = link->next;
	}
	return 0;
}

__attribute__((hot)) uint32_t context_child(uint32_t parent, uint64_t frame)
{
	uint32_t *bucket = bucket_of(parent, frame), head, id, seen, found;
	if (__builtin_expect(!bucket, 0))
		return 0;
	head = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
	id = search(head, 0, parent, frame);
	if (id)
		return id;
	id = make_node(parent, frame);
	if (!id)
		return 0;
	for (;;) {
		link_of(id)->next = seen = head;
		if (__atomic_compare_exchange_n(bucket, &head, id, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
			return id;
		/* Another thread or a handler put nodes in front: if this context is among them, the node made here is
		   never referred to. */
		found = search(head, seen, parent, frame);
		if (found)
			return found;
	}
}

uint32_t context_root(enum root_kind kind, uint32_t generation)
{
	return context_child(0, CONTEXT_ROOT | (1 + (uint64_t)kind + ((uint64_t)generation << 8)));
}

uint64_t context_frame(uint32_t id, uint32_t *parent)
{
	*parent = link_of(id)->parent;
	return link_of(id)->frame;
}

uint32_t context_up_to_call(uint32_t stack, uint64_t call)
{
	enum { FRAMES = 24 };
	uint32_t outer = stack;
	for (int i = 0; outer && i < FRAMES; i++) {
		uint32_t parent;
		if ((context_frame(outer, &parent) & CONTEXT_ADDRESS) == call)
			return outer;
		outer = parent;
	}
	return 0;
}
