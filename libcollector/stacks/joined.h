/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of a thread that go on elsewhere: what a member of a parallel region's team works at was called by who began the region,
   in another thread. One for each thread, which changes it; its handlers read it. */
#ifndef JOINED_H
#define JOINED_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's stack inside of the node `base` stands on the node `node` (NODE_JOIN). 0, 0: it stands where it is. */
struct stack_join {
	_Alignas(8) uint32_t base;
	uint32_t node;
};

#define JOINED_SETS  4
#define JOINED_WAYS  64
#define JOINED_BASES 64
struct joined {
	struct stack_join join; /* atomic, as one */
	uint64_t since;         /* raw time of its beginning */
	struct joined_set {
		struct stack_join join; /* whose stacks these are */
		uint64_t known
			[JOINED_WAYS]; /* atomic, each: a stack of the thread, and in the upper half what it became; 0: none */
	} sets[JOINED_SETS];
	uint64_t lasts[JOINED_BASES]; /* atomic, each: a base, and in the upper half the last node for it; 0: none */
};

/* The thread is over (`time`, raw), and another may have this. */
void joined_end(struct joined *joined, uint64_t time);

/* By the thread, outside of handlers. `time`: raw, now. */
void joined_set(struct joined *joined, struct stack_join join, uint64_t time);
/* The stack that stands for a captured one; itself where it is not inside of the base. 0: no memory or disk. Async-signal-safe. */
uint32_t joined_stack(struct joined *joined, uint32_t stack);
/* As joined_stack(), for a stack that the thread had at a raw time; also by another thread. Stacks of before the join stand where
   their innermost base stood last, which is a guess then. */
uint32_t joined_stack_at(const struct joined *joined, uint32_t stack, uint64_t time, bool *guessed);

#endif
