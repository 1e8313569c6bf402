/* SPDX-License-Identifier: Apache-2.0 */
/* Walking a stack as it was, by a copy of its innermost part and the registers of that moment. */
#ifndef COPIED_H
#define COPIED_H

#include "capture.h"
#include "memory.h"

struct remembered;

/* The stack from the registers (in the kernel's order) outwards, as far as the copy has what it takes: what lies further out
   is cut off, ROOT_TRUNCATED. `limit`: the greatest depth kept. */
struct captured copied_walk(
	struct remembered *room, const struct stack_copy *copy, const uint64_t *registers, uint32_t limit);
/* The same, from the function that called the one whose frame address is the copy's begin: two words of the copy at least. */
struct captured copied_walk_call(struct remembered *room, const struct stack_copy *copy, uint32_t limit);

#endif
