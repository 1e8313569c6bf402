/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a walk: from a frame's state to its caller's, and which slots of memory that took. The common rows are inline
   here; everything else is in step_slow.c, step_without_cfi.c and step_signal.c. */
#ifndef STEP_H
#define STEP_H

#include "architecture.h"
#include "context_tree.h"
#include "leaving_code.h"
#include "memory.h"
#include "rows.h"
#include <stdbool.h>
#include <stdint.h>

/* Why a walk stops. */
enum walk_end {
	WALK_GOES_ON = -1,
	WALK_START,      /* at the thread's start */
	WALK_NO_CFI,     /* code without unwind information, and nothing on the stack that looks like its caller */
	WALK_UNREADABLE, /* the next frame's memory cannot be read */
	WALK_ORDER,      /* the caller's frame would not be above */
	WALK_REGISTER,   /* the row needs a register whose value is lost */
	WALK_ZERO,       /* a return address of 0 that no table announces */
	WALK_NO_CODE,    /* this frame's pc is no return address, so the step to it was wrong */
	WALK_LIMIT,      /* deeper than what is kept */
};

enum step_flag {
	STEP_NEEDS_FP = 1,     /* the frame pointer decided where the caller's frame is */
	STEP_UNREPEATABLE = 2, /* depended on registers that no slot holds */
	STEP_SAVED_FP = 4,     /* the caller's frame pointer was read from fp_slot */
	STEP_RETURN_SLOT = 8,  /* the return address was read from return_slot; else from where calls put it */
	STEP_OTHER_SLOT = 16,  /* other_slot was read */
};

/* A frame: its state (pc: with CONTEXT_EXACT and CONTEXT_HEURISTIC), the slots that leaving it read, as its flags tell, and
   what a remembered stack keeps of it (remembered.h). One cache line; in arrays, its caller follows it. */
struct frame {
	uint64_t pc, sp, fp;
	uint64_t return_slot, fp_slot, other_slot;
	uint32_t checks; /* slots remembered of this frame and all outer ones */
	uint32_t depth;  /* frames from here to the root that are shown */
	uint32_t serial; /* of the capture that made it, so that a tip knows whether its base is still the same */
	uint8_t flags;   /* STEP_* */
	uint8_t outer;   /* OUTER_*: what of this frame and all outer ones must be known */
	uint16_t unused;
};
_Static_assert(sizeof(struct frame) == 64, "a frame is a cache line");

enum {
	OUTER_NEEDS_FP = 1,    /* an outer frame was found by this frame's fp */
	OUTER_UNMATCHABLE = 2, /* outer frames depend on more than pc, sp, fp and slots */
	OUTER_HEURISTIC = 4,   /* this frame or an outer one was guessed */
};

struct walk {
	struct memory memory;
	const uint64_t *registers; /* in the kernel's order, of the frame `known`; 0: none are known */
	struct frame *known;
	uint32_t scanned;     /* words that were looked at for guesses, so far */
	bool stale;           /* the frame is further out than `known`: only what was recovered counts */
	uint64_t run_time_sp; /* the sp of the frame below code of a run-time */
	bool holds_code;      /* code stays where it is until step_release_code() */
	bool sp_unknown;      /* the first frame's sp is only a lower bound (arm64, calls) */
};

/* The address to look a frame up by: a return address may be the next function's first byte. */
static inline uint64_t step_lookup(uint64_t pc)
{
	return (pc & CONTEXT_ADDRESS) - !(pc >> 63);
}

/* Each fills in s's slots and flags (which are 0 before) and s[1]'s state, or says why the walk ends. */
enum walk_end step_signal(struct walk *walk, struct frame *s);
enum walk_end step_slow(struct walk *walk, struct frame *s);
enum walk_end step_without_cfi(struct walk *walk, struct frame *s, bool has_module);

enum walk_end step_rarely(struct walk *walk, struct frame *s, uint64_t row, uint64_t *lookup);

/* Before an address is looked at that may be of code which left, or is just leaving: one that a guess takes for a return address,
   and those that follow from it. False: code is leaving, and nothing may be known of the address. Else code stays until the walk
   ends. */
static inline bool step_hold_code(struct walk *walk)
{
	walk->holds_code = walk->holds_code || code_stays_begin();
	return walk->holds_code;
}
static inline void step_release_code(struct walk *walk)
{
	if (__builtin_expect(walk->holds_code, 0))
		code_stays_end();
	walk->holds_code = false;
}

/* A guess where the caller is, for a frame that no rule could leave; marked. */
enum walk_end step_by_guess(struct walk *walk, struct frame *s);

/* The step out of frames[*n - 1] failed. A frame at an address that is no code goes; then the nearest return address on the stack
   is believed, and marked, where there is one. */
enum walk_end step_rescue(struct walk *walk, struct frame *frames, enum walk_end end, uint32_t *n, uint64_t *lookup);

/* Whether value is an address after a call in code that can be walked; reads code, only where it is mapped. The second way
   gives the bytes before it, too. */
bool step_is_return_address(struct walk *walk, uint64_t value);
bool step_follows_call(struct walk *walk, uint64_t value, unsigned char code[CALL_BYTES]);

/* Ways to leave a frame without unwind information (step_without_cfi.c): into the caller whose return address lies at slot, the
   frame ending there; by the frame record {saved frame pointer, return address} at `record`; into the caller whose address is
   in the link register, where calls leave it there. False: that is no such thing. */
bool step_leave_at(struct walk *walk, struct frame *s, uint64_t slot);
bool step_leave_by_record(struct walk *walk, struct frame *s, uint64_t record, bool needs_fp);
bool step_leave_by_link(struct walk *walk, struct frame *s);

/* An address that no code has ends the walk, before its top bits are taken for flags. */
static inline __attribute__((always_inline)) enum walk_end step_check_return(uint64_t ra)
{
	if (__builtin_expect(ra - 1 >= (1ull << ADDRESS_BITS) - 1, 0))
		return ra ? WALK_NO_CFI : WALK_ZERO;
	return WALK_GOES_ON;
}

static inline __attribute__((always_inline)) bool step_return(
	struct walk *walk, struct frame *s, uint64_t row, uint64_t cfa, uint64_t *ra)
{
	if (RETURN_BELOW_CFA)
		return memory_read(&walk->memory, cfa - 8, ra);
	if (row & ROW_RETURN_IN_LINK) {
		if (walk->stale || !walk->registers)
			return false;
		*ra = walk->registers[saved_position(DWARF_RETURN)];
		s->flags |= STEP_UNREPEATABLE;
		return true;
	}
	return memory_read(&walk->memory, s->fp_slot + 8, ra);
}

/* Where calls put the return address of a frame that has one, known by the walk's next frame. */
static inline uint64_t step_usual_return_slot(const struct frame *s)
{
	return RETURN_BELOW_CFA ? s[1].sp - 8 : s->fp_slot + 8;
}

/* The CFA of the common rows; false: unreadable. On arm64 a frame record's address, x29, tells the CFA where sp cannot. */
static inline __attribute__((always_inline)) bool step_cfa(
	struct walk *walk, struct frame *s, uint64_t row, uint64_t *cfa)
{
	switch (row_kind(row)) {
	case ROW_SP:
		*cfa = s->sp + row_offset(row);
		if (!RETURN_BELOW_CFA && walk->sp_unknown) {
			if (row_fp(row) != ROW_FP_FROM_CFA)
				return false;
			*cfa = s->fp - row_fp_offset(row);
			s->flags |= STEP_NEEDS_FP;
		}
		return true;
	case ROW_FP:
		*cfa = s->fp + row_offset(row);
		s->flags |= STEP_NEEDS_FP;
		return true;
	case ROW_AT_FP:
		s->flags |= STEP_NEEDS_FP;
		s->other_slot = s->fp + row_offset(row);
		break;
	default:
		s->other_slot = s->sp + row_offset(row);
		break;
	}
	s->flags |= STEP_OTHER_SLOT;
	if (!memory_read(&walk->memory, s->other_slot, cfa))
		return false;
	*cfa += (uint64_t)row_offset2(row);
	return true;
}

/* Leaves frame s, whose step_lookup() is *lookup; that becomes the caller's. Fills in what the slow steps below promise. */
static inline __attribute__((always_inline)) enum walk_end step_out(
	struct walk *walk, struct frame *s, uint64_t *lookup)
{
	uint64_t row = row_of(*lookup), cfa, ra;
	s->flags = 0;
	switch (row_kind(row)) {
	case ROW_END:
		return WALK_START;
	case ROW_SIGNAL:
	case ROW_NONE:
	case ROW_SLOW:
		return step_rarely(walk, s, row, lookup);
	default:
		break;
	}
	if (!step_cfa(walk, s, row, &cfa))
		return WALK_UNREADABLE;
	/* On arm64 a leaf may have no frame at all. */
	if (__builtin_expect(RETURN_BELOW_CFA || walk->stale ? cfa <= s->sp : cfa < s->sp, 0))
		return WALK_ORDER;
	s[1].sp = cfa;
	s[1].fp = s->fp;
	if (row_fp(row) != ROW_FP_SAME) {
		s->fp_slot = row_fp_offset(row) + (row_fp(row) == ROW_FP_FROM_CFA         ? cfa
							  : row_fp(row) == ROW_FP_FROM_FP ? s->fp
											  : s->sp);
		if (row_fp(row) == ROW_FP_FROM_FP)
			s->flags |= STEP_NEEDS_FP;
		s->flags |= STEP_SAVED_FP;
		if (__builtin_expect(!memory_read(&walk->memory, s->fp_slot, &s[1].fp), 0))
			return WALK_UNREADABLE;
	}
	if (__builtin_expect(!step_return(walk, s, row, cfa, &ra), 0))
		return WALK_UNREADABLE;
	walk->stale = true;
	walk->sp_unknown = false;
	s[1].pc = return_address_strip(ra);
	*lookup = s[1].pc - 1;
	return step_check_return(s[1].pc);
}

#endif
