/* SPDX-License-Identifier: Apache-2.0 */
/* A step by a row that does not pack: expressions of the registers, the stack pointer saved elsewhere, the return address
   in a register. */
#include "cfi.h"
#include "step.h"

/* A register that lost its value may still hold it; a caller's frame further away than this was computed from garbage. */
#define FRAME_MOST (1u << 20)

struct frame_of {
	struct walk *walk;
	struct frame *frame;
	bool lost; /* a register was used that the frames between may have changed */
};

static bool register_value(struct frame_of *frame, unsigned number, uint64_t *value);

static bool evaluate(struct frame_of *frame, const struct cfi_value *v, uint64_t cfa, uint64_t *value)
{
	uint64_t base = cfa;
	if (v->kind == CFI_CONSTANT) {
		*value = (uint64_t)v->offset;
		return true;
	}
	if (v->kind == CFI_UNKNOWN || (v->base != CFI_BASE_CFA && !register_value(frame, v->base, &base)))
		return false;
	*value = base + (uint64_t)v->offset;
	if (v->kind == CFI_REGISTER)
		return true;
	if (!memory_read(&frame->walk->memory, *value, value))
		return false;
	*value += (uint64_t)v->offset2;
	return true;
}

/* A preserved register at a frame: from the last registers known, by what each frame inside did with it. */
static bool recover(struct frame_of *frame, unsigned number, uint64_t *value)
{
	struct walk *walk = frame->walk;
	bool known = walk->registers;
	if (known)
		*value = walk->registers[saved_position(number)];
	for (struct frame *s = walk->known; s < frame->frame; s++) {
		struct frame_of inner = {walk, s, false};
		struct module module;
		struct cfi_row row = {.found = false};
		uint64_t at;
		if (module_find(step_lookup(s->pc), &module))
			cfi_row(step_lookup(s->pc), &module, 0, number, &row);
		if (row.found && row.wanted.how == CFI_SAVED_AT)
			known = evaluate(&inner, &row.wanted.value, s[1].sp, &at) && !inner.lost &&
				memory_read(&walk->memory, at, value);
		else if (!row.found || row.wanted.how != CFI_SAME)
			known = false;
	}
	return known;
}

static bool register_value(struct frame_of *frame, unsigned number, uint64_t *value)
{
	const struct walk *walk = frame->walk;
	if (number == DWARF_STACK_POINTER) {
		*value = frame->frame->sp;
		return true;
	}
	if (number == DWARF_FRAME_POINTER) {
		*value = frame->frame->fp;
		return true;
	}
	if (saved_position(number) < 0)
		return false;
	if (register_is_preserved(number) && walk->stale)
		return recover(frame, number, value);
	if (!walk->registers)
		return false;
	frame->lost |= walk->stale;
	*value = walk->registers[saved_position(number)];
	return true;
}

static bool machine_get(const void *context, unsigned number, uint64_t *value)
{
	return register_value((struct frame_of *)context, number, value);
}
static bool machine_load(const void *context, uint64_t address, uint64_t *value)
{
	return memory_read(&((const struct frame_of *)context)->walk->memory, address, value);
}

/* The caller's value of a register by its rule; *slot: where it was read. False: lost or unreadable. */
static bool apply(struct frame_of *frame, const struct cfi_rule *rule, uint64_t cfa, uint64_t *value, uint64_t *slot)
{
	uint64_t at;
	switch (rule->how) {
	case CFI_SAVED_AT:
		if (!evaluate(frame, &rule->value, cfa, &at) || !memory_read(&frame->walk->memory, at, value))
			return false;
		*slot = at;
		return true;
	case CFI_IS_VALUE:
		return evaluate(frame, &rule->value, cfa, value);
	case CFI_IN_REGISTER:
		return register_value(frame, rule->number, value);
	case CFI_UNDEFINED:
		return false;
	default:
		return true;
	}
}

/* Whether ra, after the call that `code` holds, can be where the row's function returns to. What a function of libgcc calls
   directly is no other function's caller: an earlier exception has left that on the stack. */
static bool may_have_called(const struct cfi_row *row, uint64_t ra, const unsigned char code[CALL_BYTES])
{
	struct module module;
	if (!module_find(row->start, &module) || ra - module.start >= module.end - module.start)
		return true; /* of another object: through its linkage table */
	return call_target(code, ra) == row->start;
}

/* While libgcc's unwinder installs a landing pad's registers, it writes them where its own outermost function (_Unwind_Resume,
   for instance) saved its caller's. But that function's local context holds its CFA and, beside it, its return address. Where
   that is not the one in the slot, the frame pointer is the landing pad's as well and helps no further. */
static void undo_installation(struct walk *walk, struct frame *s, const struct cfi_row *row, uint64_t cfa, uint64_t *ra)
{
	uint64_t value, kept;
	unsigned char code[CALL_BYTES];
	if (s > walk->known + 1 || (s != walk->known && !(s[-1].pc & CONTEXT_EXACT)))
		return; /* the installation is done by the innermost function alone */
	for (uint64_t at = (s->sp + 7) & ~7ull; at + 16 <= cfa; at += 8) {
		if (!memory_read(&walk->memory, at, &value) || !memory_read(&walk->memory, at + 8, &kept))
			return;
		if (value != cfa || kept == *ra || !step_follows_call(walk, kept, code) ||
			!may_have_called(row, kept, code))
			continue;
		*ra = kept;
		s->return_slot = at + 8;
		s[1].fp = 1;
		s->fp_slot = 0;
		s->flags &= (uint8_t)~STEP_SAVED_FP;
		return;
	}
}

static enum walk_end slow(struct frame_of *frame)
{
	struct walk *walk = frame->walk;
	struct frame *s = frame->frame;
	const struct cfi_machine machine = {machine_get, machine_load, frame};
	struct module module;
	struct cfi_row row = {.found = false};
	uint64_t cfa, ignored = 0, ra = 0;
	s->return_slot = s->fp_slot = 0;
	if (module_find(step_lookup(s->pc), &module))
		cfi_row(step_lookup(s->pc), &module, &machine, DWARF_EXCEPTION_DATA, &row);
	if (!row.found || !evaluate(frame, &row.cfa, 0, &cfa))
		return WALK_REGISTER;
	if (walk->stale && (cfa <= s->sp || cfa - s->sp > FRAME_MOST))
		return WALK_REGISTER;
	s[1].sp = cfa;
	s[1].fp = s->fp;
	if (row.ra.how == CFI_SAME && !register_value(frame, DWARF_RETURN, &ra))
		return WALK_REGISTER;
	if (!apply(frame, &row.sp, cfa, &s[1].sp, &ignored) || !apply(frame, &row.ra, cfa, &ra, &s->return_slot))
		return WALK_REGISTER;
	if (row.fp.how == CFI_UNDEFINED)
		row.fp.how = CFI_SAME;
	if (!apply(frame, &row.fp, cfa, &s[1].fp, &s->fp_slot))
		return WALK_REGISTER;
	s->flags |= (s->fp_slot ? STEP_SAVED_FP : 0) | (s->return_slot ? STEP_RETURN_SLOT : 0);
	if (row.wanted.how == CFI_SAVED_AT && !row.signal_frame)
		undo_installation(walk, s, &row, cfa, &ra);
	s[1].pc = return_address_strip(ra);
	if (step_check_return(s[1].pc) != WALK_GOES_ON)
		return step_check_return(s[1].pc);
	if (s[1].sp < s->sp || (s[1].sp == s->sp && s->return_slot))
		return WALK_ORDER;
	if (row.signal_frame)
		s[1].pc |= CONTEXT_EXACT;
	return WALK_GOES_ON;
}

enum walk_end step_slow(struct walk *walk, struct frame *s)
{
	struct frame_of frame = {walk, s, false};
	enum walk_end end = slow(&frame);
	s->flags |= STEP_UNREPEATABLE;
	walk->sp_unknown = false;
	/* A lost register that leads to a call was probably kept: believed, but marked. */
	if (end == WALK_GOES_ON && frame.lost) {
		if (step_is_return_address(walk, s[1].pc))
			s[1].pc |= CONTEXT_HEURISTIC;
		else
			end = WALK_REGISTER;
	}
	walk->stale = true;
	return end;
}
