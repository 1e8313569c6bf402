/* SPDX-License-Identifier: Apache-2.0 */
/* The walk that reuses the thread's last stack.

   The rest of a walk from a frame is a function of that frame's pc, sp and fp (fp only if an outer frame was found by it), of
   static tables and of the slots it reads. So when a frame's state equals a remembered one and the slots that were read from
   there on, compared from inner to outer, hold what they held, then the rest is what it was, by induction, and each address
   that is compared is one that a full walk would read. */
#ifndef INCREMENTAL_H
#define INCREMENTAL_H

#include "capture.h"
#include "remembered.h"
#include "stack_bounds.h"

/* Takes the stack from a state outwards. `registers`: all of that state's registers in the kernel's order, or 0: then
   on arm64 sp is only a lower bound. `limit`: the greatest depth kept. */
struct captured incremental_walk(struct remembered *remembered, struct stack_bounds bounds, const struct frame *start,
	const uint64_t *registers, uint32_t limit);

/* The validity of remembered stacks: the address space's generation in the low half, the number of trees begun in the
   high half. Atomic. */
extern uint64_t remembered_era;
#define ERA_TREE (1ull << 32)

#ifdef UNWIND_SELF_CHECK
/* Such builds (tests only) compare each capture with a walk that remembers nothing, and count. */
extern uint64_t self_check_compared, self_check_mismatched;
struct captured self_checked_walk(struct remembered *remembered, struct stack_bounds bounds, const struct frame *start,
	const uint64_t *registers, uint32_t limit);
#define incremental_walk self_checked_walk
#endif

#endif
