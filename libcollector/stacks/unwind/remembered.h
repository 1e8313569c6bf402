/* SPDX-License-Identifier: Apache-2.0 */
/* The stack that a thread had at its last capture, frame by frame, and the slots of memory that the walk read: the next
   capture walks only what changed. One for calls and one for signals in each thread, so that neither can interrupt itself.
   Small at first, it grows with the depth. */
#ifndef REMEMBERED_H
#define REMEMBERED_H

#include "context_tree.h"
#include "step.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot_check {
	uint64_t slot, value;
};
#define CHECKS_PER_FRAME 3

/* The calling context of the frame that is the n-th from the root. */
struct frame_name {
	uint64_t pc;
	uint64_t node; /* and NAME_HIDDEN */
};
#define NAME_HIDDEN (1ull << 32) /* a frame of our own code: its name is its caller's */

/* A call site's innermost frames above a remembered frame: two sites that alternate then walk nothing. */
#define TIP_CHECKS 5
struct walk_tip {
	uint64_t pc, sp, fp;
	uint32_t base, serial; /* frames below, and the innermost one's serial */
	uint32_t node, depth;
	uint8_t check_count, outer;
	struct slot_check checks[TIP_CHECKS];
};
#define TIPS_BITS 6

struct remembered {
	struct frame *frames;      /* capacity + 1 */
	struct frame *walked;      /* as many: of a walk in progress */
	struct slot_check *checks; /* CHECKS_PER_FRAME times capacity, outermost frame's first */
	struct frame_name *names;  /* capacity, outermost first */
	struct walk_tip *tips;     /* 0: none yet */
	void *area;                /* of the arrays, if it is not the first memory */
	uint32_t capacity;
	uint32_t top, bottom; /* remembered: frames[top], the innermost, up to frames[bottom - 1] */
	uint32_t named;       /* names that are true, each the child of the one before */
	uint32_t root;        /* under which names[0] hangs */
	uint32_t start_root;  /* ROOT_START's node in this era; 0: not asked for yet */
	uint64_t era;         /* remembered_era when all this was true */
	uint32_t serial;      /* of the last capture */
	uint32_t uncounted;   /* complete captures not yet in the tallies */
	bool probed;          /* slots outside the thread's own stack are among the checks */
#ifdef UNWIND_SELF_CHECK
	struct remembered *anew; /* for the walk that remembers nothing */
#endif
};

#define REMEMBERED_BYTES_PER_FRAME                                                                                     \
	(2 * sizeof(struct frame) + sizeof(struct frame_name) + CHECKS_PER_FRAME * sizeof(struct slot_check))

/* Lays the arrays out in `size` bytes at `memory`, which stays the owner's. */
void remembered_place(struct remembered *remembered, void *memory, size_t size);
/* Doubles the capacity, keeping all content at its places. False: no memory; nothing changed. */
bool remembered_grow(struct remembered *remembered);
/* A structure with first memory of its own, which is never unmapped. 0: no memory. */
struct remembered *remembered_room(void);
/* Makes one as it was. */
void remembered_room_forget(struct remembered *remembered);
/* Lets the memory of growth and tips go; the first memory must be placed again. */
void remembered_shrink(struct remembered *remembered);

#endif
