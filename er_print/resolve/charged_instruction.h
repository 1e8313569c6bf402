/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instruction a clock tick is charged to. The clock's interrupt is taken between two instructions: the processor first
   finishes what it has begun to retire, and reports the instruction that comes next. The one that the thread spent its time on
   is the one before that. */
#ifndef CHARGED_INSTRUCTION_H
#define CHARGED_INSTRUCTION_H

#include "resolver.h"
#include <stddef.h>

/* Where a tick found a thread, and where it is charged to. */
struct charged {
	uint32_t object, address; /* of data->objects, data->addresses */
	uint64_t offset;          /* of the address, in its object */
	uint64_t user, kernel; /* offset of the instruction that ticks in user mode are charged to, and in the kernel */
};

/* Finds user and kernel of all that lie in [start, end) of one object, in ascending order: one function, or what is known of
   it. The instruction before is charged only if the thread certainly ran it right before: it goes on to the one that was
   found, which nothing in the function jumps to. Ticks in the kernel are charged to it only if it is a system call, since an
   instruction that traps is found itself. Otherwise, and where the code is not at hand, user and kernel are the offset. */
void charged_instructions_find(
	struct resolver *resolver, uint64_t start, uint64_t end, struct charged *charged, size_t count);

#endif
