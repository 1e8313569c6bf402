/* SPDX-License-Identifier: Apache-2.0 */
/* A guess where the caller of code without unwind information is: the nearest slot that holds the return of a call that can have
   called it, or the frame pointer's frame, or the nearest return address. */
#include "guesses.h"
#include "step.h"

#define SCAN_BYTES    32768u /* how far from sp a return address is looked for: Erlang has 16 KB of registers there */
#define SCANNED_MOST  6144u  /* words of one walk */
#define FUNCTION_MOST 4096u  /* a direct call's target is at most so far before the pc */
#define TRIAL_FRAMES  64     /* that a return address is followed outwards, to see whether it is one */
#define TRY_AGAIN     16     /* where nothing was found, each so many times */

static bool is_in_load_object(const struct frame *s)
{
	return row_of(step_lookup(s->pc)) & ROW_HAS_MODULE;
}

/* The result of following a return address outwards by tables alone. An address that a finished call has left on the stack leads
   nowhere as a rule: others have been there since. An address in the thread's first function proves nothing: walks of our own
   have left copies of it. */
enum trial { TRIAL_NOWHERE, TRIAL_OPEN, TRIAL_START };

static enum trial follow(struct walk *walk, uint64_t slot, uint64_t ra)
{
	struct walk trial = *walk;
	struct frame frames[2] = {{.pc = ra, .sp = slot + 8}};
	uint64_t lookup = step_lookup(ra);
	bool fp_known = false;
	for (unsigned i = 0; RETURN_BELOW_CFA && i < TRIAL_FRAMES; i++) {
		uint64_t row = row_of(lookup);
		enum row_kind kind = row_kind(row);
		if (kind == ROW_END)
			return i ? TRIAL_START : TRIAL_NOWHERE;
		bool needs_fp = kind == ROW_FP || kind == ROW_AT_FP || row_fp(row) == ROW_FP_FROM_FP;
		if (kind == ROW_NONE || kind == ROW_SIGNAL || kind == ROW_SLOW || (needs_fp && !fp_known))
			return TRIAL_OPEN;
		if (step_out(&trial, frames, &lookup) != WALK_GOES_ON ||
			(row_kind(row_of(lookup)) != ROW_END && !step_is_return_address(walk, frames[1].pc)))
			return TRIAL_NOWHERE;
		fp_known |= frames[0].flags & STEP_SAVED_FP;
		frames[0] = frames[1];
	}
	return TRIAL_OPEN;
}

/* The call before ra, of which `code` is the end, may have called a function of a load object if its target is near the pc. */
static enum trial try_function(const struct frame *s, uint64_t slot, uint64_t ra, const unsigned char code[CALL_BYTES])
{
	uint64_t pc = s->pc & CONTEXT_ADDRESS, target = call_target(code, ra);
	return (target && pc - target < FUNCTION_MOST) || (slot == s->sp && s->pc & CONTEXT_EXACT) ? TRIAL_START
												   : TRIAL_NOWHERE;
}

/* Compiled code enters a run-time's code by a pointer. */
static enum trial try_run_time(
	struct walk *walk, const struct frame *s, uint64_t slot, uint64_t ra, const unsigned char code[CALL_BYTES])
{
	if (slot == s->sp && s->pc & CONTEXT_EXACT)
		return TRIAL_START;
	return call_target(code, ra) ? TRIAL_NOWHERE : follow(walk, slot, ra);
}

static uint64_t scan_end(const struct walk *walk, uint64_t first)
{
	const struct memory *memory = &walk->memory;
	uint64_t end = first + SCAN_BYTES;
	return first >= memory->stack_low && first < memory->stack_high && end > memory->stack_high ? memory->stack_high
												    : end;
}

static uint64_t first_slot(const struct frame *s)
{
	return (s->sp + 7) & ~7ull;
}

/* The nearest return of a call that can have called the pc's function. 0: none; *nearest: of another call, or 0. */
static uint64_t scan(struct walk *walk, const struct frame *s, bool in_load_object, uint64_t *nearest)
{
	uint64_t first = first_slot(s), end = scan_end(walk, first), value, open = 0;
	unsigned char code[CALL_BYTES];
	*nearest = 0;
	for (uint64_t at = first; at < end && memory_read(&walk->memory, at, &value); at += 8) {
		if (++walk->scanned > SCANNED_MOST)
			break;
		value = return_address_strip(value);
		if (!step_follows_call(walk, value, code))
			continue;
		enum trial trial =
			in_load_object ? try_function(s, at, value, code) : try_run_time(walk, s, at, value, code);
		if (trial == TRIAL_START)
			return at;
		if (trial == TRIAL_OPEN && !open)
			open = at;
		if (!*nearest)
			*nearest = at;
	}
	return open;
}

static struct guess at_slot(const struct frame *s, uint64_t slot)
{
	return (struct guess){GUESS_SLOT, (uint32_t)(slot - first_slot(s))};
}

static struct guess search(struct walk *walk, struct frame *s)
{
	bool in_load_object = is_in_load_object(s);
	if (!in_load_object && step_leave_by_record(walk, s, s->fp, true))
		return (struct guess){GUESS_RECORD, 0};
	uint64_t nearest, slot = scan(walk, s, in_load_object, &nearest);
	if (slot && step_leave_at(walk, s, slot))
		return at_slot(s, slot);
	if (in_load_object && step_leave_by_record(walk, s, s->fp, true))
		return (struct guess){GUESS_RECORD, 0};
	if (nearest && step_leave_at(walk, s, nearest))
		return at_slot(s, nearest);
	return (struct guess){GUESS_NOTHING, 0};
}

static bool leave_as_before(struct walk *walk, struct frame *s, struct guess guess)
{
	uint64_t slot = first_slot(s) + guess.offset, value;
	if (guess.kind == GUESS_RECORD)
		return step_leave_by_record(walk, s, s->fp, true);
	return guess.kind == GUESS_SLOT && memory_read(&walk->memory, slot, &value) &&
	       step_is_return_address(walk, return_address_strip(value)) && step_leave_at(walk, s, slot);
}

/* The bytes that are read around the pc: the call of the next frame lies before it, and the end of this frame may lie after it. */
static uint32_t hash_code(struct walk *walk, uint64_t pc)
{
	uint64_t words[2] = {0, 0};
	if (!memory_read_bytes(&walk->memory, pc - sizeof words[0], words, sizeof words))
		memory_read_bytes(&walk->memory, pc, &words[1], sizeof words[1]);
	return (uint32_t)((words[0] * ROW_HASH ^ words[1]) * ROW_HASH >> 32);
}

static bool guess(struct walk *walk, struct frame *s)
{
	static uint32_t tries; /* atomic */
	uint32_t code = hash_code(walk, s->pc & CONTEXT_ADDRESS);
	struct guess known = guess_recall(s->pc, code);
	if (known.kind == GUESS_NOTHING && __atomic_add_fetch(&tries, 1, __ATOMIC_RELAXED) % TRY_AGAIN)
		return false;
	if (leave_as_before(walk, s, known))
		return true;
	struct guess found = search(walk, s);
	if (walk->scanned <= SCANNED_MOST)
		guess_remember(s->pc, code, found);
	return found.kind != GUESS_NOTHING;
}

static bool leave_by_link(struct walk *walk, struct frame *s)
{
	if (!step_leave_by_link(walk, s) || !step_is_return_address(walk, s[1].pc))
		return false;
	uint64_t link = s[1].pc, saved;
	/* Its own frame record holds the same address; else it may have another frame, or stand in its caller's. */
	if (memory_read(&walk->memory, s->fp + 8, &saved) && return_address_strip(saved) == link &&
		step_leave_by_record(walk, s, s->fp, true))
		return true;
	step_leave_by_link(walk, s);
	walk->sp_unknown = true;
	return true;
}

enum walk_end step_by_guess(struct walk *walk, struct frame *s)
{
	walk->stale = true;
	walk->sp_unknown = false;
	s->flags = STEP_UNREPEATABLE; /* more is looked at than the slots that are remembered */
	if (walk->scanned > SCANNED_MOST || !step_hold_code(walk) || (!leave_by_link(walk, s) && !guess(walk, s)))
		return WALK_NO_CFI;
	s[1].pc |= CONTEXT_HEURISTIC;
	return s[1].sp > s->sp || !RETURN_BELOW_CFA ? WALK_GOES_ON : WALK_ORDER;
}
