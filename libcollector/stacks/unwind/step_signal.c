/* SPDX-License-Identifier: Apache-2.0 */
/* Through the kernel's frame of a signal to the code that it interrupted. */
#include "step.h"

enum walk_end step_signal(struct walk *walk, struct frame *s)
{
	struct memory *memory = &walk->memory;
	uint64_t registers = s->sp + SIGNAL_REGISTERS_OFFSET, first;
	s->return_slot = registers + 8 * SAVED_PC;
	s->other_slot = registers + 8 * SAVED_STACK_POINTER;
	s->fp_slot = registers + 8 * SAVED_FRAME_POINTER;
	s->flags = STEP_SAVED_FP | STEP_RETURN_SLOT | STEP_OTHER_SLOT;
	if (!memory_read(memory, registers, &first) || !memory_read(memory, s->fp_slot, &s[1].fp) ||
		!memory_read(memory, s->return_slot, &s[1].pc) || !memory_read(memory, s->other_slot, &s[1].sp))
		return WALK_UNREADABLE;
	s[1].pc = (s[1].pc & CONTEXT_ADDRESS) | CONTEXT_EXACT;
	walk->registers = memory_words(memory, registers, SAVED_COUNT);
	walk->known = s + 1;
	walk->stale = false;
	walk->sp_unknown = false;
	memory_bounds(memory, s[1].sp);
	return WALK_GOES_ON;
}

enum walk_end step_rarely(struct walk *walk, struct frame *s, uint64_t row, uint64_t *lookup)
{
	enum walk_end end;
	if (row_kind(row) == ROW_SIGNAL)
		end = step_signal(walk, s);
	else if (row_kind(row) == ROW_NONE)
		end = step_without_cfi(walk, s, row & ROW_HAS_MODULE);
	else
		end = step_slow(walk, s);
	*lookup = step_lookup(s[1].pc);
	return end;
}
