/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts at going on where the rules lead nowhere. */
#include "step.h"

/* A frame whose return address follows no call: an exception's landing pad, put there to be jumped to. Its own address tells
   where it stands. */
static enum walk_end leave_landing_pad(struct walk *walk, struct frame *s, uint64_t *lookup)
{
	uint64_t pc = s->pc & CONTEXT_ADDRESS;
	if (s->pc & CONTEXT_EXACT || s <= walk->known || !step_hold_code(walk) || row_kind(row_of(pc)) == ROW_NONE ||
		step_is_return_address(walk, pc))
		return WALK_NO_CFI;
	s->pc |= CONTEXT_EXACT;
	*lookup = pc;
	enum walk_end end = step_out(walk, s, lookup);
	if (end != WALK_GOES_ON && end != WALK_START)
		s->pc = pc;
	return end;
}

enum walk_end step_rescue(struct walk *walk, struct frame *frames, enum walk_end end, uint32_t *n, uint64_t *lookup)
{
	if (end == WALK_NO_CODE && *n > 1)
		--*n;
	struct frame *s = &frames[*n - 1];
	if (s < walk->known)
		return end;
	end = leave_landing_pad(walk, s, lookup);
	if (end != WALK_GOES_ON && end != WALK_START) {
		end = step_by_guess(walk, s);
		*lookup = step_lookup(s[1].pc);
	}
	return end;
}
