/* SPDX-License-Identifier: Apache-2.0 */
/* The process's tree of calling contexts: one node per distinct stack, its leaf's. The nodes are the experiment's file
   "stacks" itself (layout.h); beside it lies a private hash table, so that equal stacks get equal ids in all threads.
   Lock-free and reentrant: a handler may interrupt an insertion on the same thread. A parent's id is less than its child's. */
#ifndef CONTEXT_TREE_H
#define CONTEXT_TREE_H

#include "event_file.h"
#include "layout.h"
#include <stdbool.h>
#include <stdint.h>

/* A frame as the walk and the tree name it: its address, and in the top bits what kind of frame it is. */
#define CONTEXT_EXACT     (1ull << 63) /* NODE_EXACT */
#define CONTEXT_HEURISTIC (1ull << 62) /* NODE_HEURISTIC */
#define CONTEXT_ROOT      (1ull << 61) /* NODE_ROOT */
#define CONTEXT_KERNEL    (1ull << 60) /* NODE_KERNEL: all bits of the address from here up are set */
#define CONTEXT_ADDRESS   ((1ull << 60) - 1)
/* NODE_JOIN, and with NODE_TASK: the address is a node's id. As for a root, no frame is inside of it that outer ones go on from. */
#define CONTEXT_JOIN      (CONTEXT_ROOT | CONTEXT_EXACT)
#define CONTEXT_JOIN_TASK (CONTEXT_JOIN | CONTEXT_HEURISTIC)
/* NODE_WAIT: the address is a node's id, and shifted by that a construct. */
#define CONTEXT_WAIT       (CONTEXT_ROOT | CONTEXT_HEURISTIC)
#define CONTEXT_WAIT_SHIFT 32
static inline bool context_is_wait(uint64_t frame)
{
	return (frame & (CONTEXT_WAIT | CONTEXT_EXACT | CONTEXT_KERNEL)) == CONTEXT_WAIT;
}

/* Makes an empty tree that grows into `stacks`; an earlier one (the parent's, after fork) is let go. False: no memory. */
bool context_tree_start(struct event_file *stacks);

/* Whether no stack was put into it. */
bool context_tree_is_empty(void);

/* The id of the node `frame` under `parent` (0: a root), made if it is new. 0: no memory or disk. Async-signal-safe. */
uint32_t context_child(uint32_t parent, uint64_t frame);

/* The root of stacks that end so, in an address space generation. 0: no memory or disk. */
uint32_t context_root(enum root_kind kind, uint32_t generation);

/* The node's frame and parent. */
uint64_t context_frame(uint32_t id, uint32_t *parent);
/* The stack without what is inside of the call, which is named by the code after it; 0, if that is not among its last frames.
   Async-signal-safe. */
uint32_t context_up_to_call(uint32_t stack, uint64_t call);

#endif
