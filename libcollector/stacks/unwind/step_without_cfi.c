/* SPDX-License-Identifier: Apache-2.0 */
/* A step out of code without unwind information. A leaf whose instructions prove that the link register holds the return address
   is left by that. Code of run-times (in no load object) is left by its frame pointer, which
   those that keep one set up everywhere but in a function's first and last instructions. Anything else is a guess, and marked
   (step_by_guess.c). */
#include "link_register.h"
#include "step.h"

#define FRAME_MOST     (1u << 20)
#define LOWEST_ADDRESS 65536u

/* Reads bytes of code that stays. The last one is mapped if the row is still the same and says so, and those before it are mapped
   for certain if they are of the same page. Anything else is asked for, of load objects each time: what could be read once in this
   walk may have left since. */
static bool read_code(struct walk *walk, uint64_t first, uint64_t last, uint64_t row, unsigned char *code)
{
	struct memory unknown = {0};
	if (row_proves_mapping(row) && memory_same_page(first, last) && row_of(last) == row)
		memcpy(code, (const void *)first, last + 1 - first);
	else
		return memory_read_bytes(
			row & ROW_HAS_MODULE ? &unknown : &walk->memory, first, code, last + 1 - first);
	return true;
}

/* Reads the bytes of a call before a return address. */
static bool read_call(struct walk *walk, uint64_t address, uint64_t row, unsigned char code[CALL_BYTES])
{
	return read_code(walk, address - CALL_BYTES, address - 1, row, code);
}

static bool plausible(uint64_t value)
{
	return value > LOWEST_ADDRESS && !(value >> ADDRESS_BITS) && value % RETURN_ALIGNMENT == 0;
}

bool step_follows_call(struct walk *walk, uint64_t value, unsigned char code[CALL_BYTES])
{
	if (!plausible(value) || !step_hold_code(walk))
		return false;
	uint64_t row = row_of(value - 1);
	return row_kind(row) != ROW_NONE && read_call(walk, value, row, code) && bytes_are_call(code);
}

bool step_is_return_address(struct walk *walk, uint64_t value)
{
	unsigned char code[CALL_BYTES];
	return step_follows_call(walk, value, code);
}

/* The same, or in code of a run-time. */
static bool is_return_anywhere(struct walk *walk, uint64_t value)
{
	unsigned char code[CALL_BYTES];
	return plausible(value) && step_hold_code(walk) && read_call(walk, value, row_of(value - 1), code) &&
	       bytes_are_call(code);
}

/* Into the caller whose return address lies at slot, its frame ending there. */
bool step_leave_at(struct walk *walk, struct frame *s, uint64_t slot)
{
	uint64_t ra;
	if (!memory_read(&walk->memory, slot, &ra))
		return false;
	s->return_slot = slot;
	s->flags |= STEP_RETURN_SLOT;
	s[1].pc = return_address_strip(ra);
	s[1].sp = slot + 8;
	s[1].fp = s->fp;
	return true;
}

/* An interpreter pushes return addresses that follow no call (HotSpot's does, when it calls compiled code): in code of no load
   object a record counts as well if it goes on to another one further out. */
static bool is_record_of_run_time(struct walk *walk, uint64_t record, uint64_t fp, uint64_t ra)
{
	uint64_t row, next;
	if (!plausible(ra) || !step_hold_code(walk))
		return false;
	row = row_of(ra - 1);
	return row_kind(row) == ROW_NONE && !(row & ROW_HAS_MODULE) && fp > record && fp - record < FRAME_MOST &&
	       !(fp & 7) && memory_read(&walk->memory, fp + 8, &next) && plausible(next);
}

/* Into the caller by the frame record {saved frame pointer, return address} at `record`. */
bool step_leave_by_record(struct walk *walk, struct frame *s, uint64_t record, bool needs_fp)
{
	uint64_t ra, fp;
	if (record < s->sp || record - s->sp >= FRAME_MOST || record & 7 ||
		!memory_read(&walk->memory, record + 8, &ra) || !memory_read(&walk->memory, record, &fp) ||
		!(is_return_anywhere(walk, return_address_strip(ra)) ||
			is_record_of_run_time(walk, record, fp, return_address_strip(ra))))
		return false;
	s->return_slot = record + 8;
	s->fp_slot = record;
	s->flags |= STEP_SAVED_FP | STEP_RETURN_SLOT | (needs_fp ? STEP_NEEDS_FP : 0);
	s[1].pc = return_address_strip(ra);
	s[1].sp = record + 16;
	s[1].fp = fp;
	return true;
}

/* Code of a load object without unwind information is a run-time's own (its built-in functions, which keep frame pointers too)
   if its frame record leads to such code again; hand-written functions are called by functions with unwind information. */
static bool record_leads_on(struct walk *walk, const struct frame *s)
{
	uint64_t ra, fp;
	if (s->fp < s->sp || s->fp & 7 || !memory_read(&walk->memory, s->fp + 8, &ra) ||
		!memory_read(&walk->memory, s->fp, &fp))
		return false;
	ra = return_address_strip(ra);
	return fp > s->fp && plausible(ra) && step_hold_code(walk) && row_kind(row_of(ra - 1)) == ROW_NONE;
}

/* Where the thread stood in a run-time's function, its next instructions tell whether its frame stands already. */
static bool leave_run_time_code(struct walk *walk, struct frame *s)
{
	unsigned char code[PHASE_BYTES];
	enum frame_phase phase = FRAME_UNKNOWN;
	uint64_t ra;
	if (s->pc & CONTEXT_EXACT && memory_read_bytes(&walk->memory, s->pc & CONTEXT_ADDRESS, code, PHASE_BYTES))
		phase = bytes_phase(code);
	if (phase == FRAME_PUSHED && step_leave_by_record(walk, s, s->sp, false))
		return true;
	if (phase == FRAME_AT_RETURN && memory_read(&walk->memory, s->sp, &ra) && is_return_anywhere(walk, ra))
		return step_leave_at(walk, s, s->sp);
	return step_leave_by_record(walk, s, s->fp, true);
}

/* Where calls leave the return address in a register, into the caller whose address is there. */
bool step_leave_by_link(struct walk *walk, struct frame *s)
{
	if (RETURN_BELOW_CFA || !(s->pc & CONTEXT_EXACT) || s != walk->known || !walk->registers)
		return false;
	s[1] = *s;
	s[1].pc = return_address_strip(walk->registers[saved_position(DWARF_RETURN)]);
	return is_return_anywhere(walk, s[1].pc);
}

/* If the code proves it. */
static bool leave_leaf(struct walk *walk, struct frame *s)
{
	if (!step_leave_by_link(walk, s) || !link_register_is_return(&walk->memory, s->pc & CONTEXT_ADDRESS))
		return false;
	s->flags = s[1].flags = STEP_UNREPEATABLE;
	walk->stale = true;
	walk->sp_unknown = false;
	return true;
}

/* A handler returns to its first instruction; a thread can stand at either. */
static bool at_trampoline(struct walk *walk, const struct frame *s)
{
	unsigned char code[TRAMPOLINE_BYTES];
	uint64_t pc = s->pc & CONTEXT_ADDRESS;
	for (int offset = 0; offset <= TRAMPOLINE_SYSCALL; offset += TRAMPOLINE_SYSCALL) {
		if (!plausible(pc - offset) || (offset && !(s->pc & CONTEXT_EXACT)))
			return false;
		if (!memory_read_bytes(&walk->memory, pc - offset, code, TRAMPOLINE_BYTES))
			return false;
		if (bytes_are_trampoline(code))
			return true;
	}
	return false;
}

/* Where return addresses that follow calls were met in no load object, by the megabyte: there is a run-time's code. */
enum { PLACE_SHIFT = 20, PLACES = 64 };
static uint64_t places[PLACES]; /* atomic, each */

static void remember_place(uint64_t pc)
{
	uint64_t *place = &places[(pc >> PLACE_SHIFT) % PLACES];
	if (__atomic_load_n(place, __ATOMIC_RELAXED) != pc >> PLACE_SHIFT)
		__atomic_store_n(place, pc >> PLACE_SHIFT, __ATOMIC_RELAXED);
}

static bool is_known_place(uint64_t pc)
{
	return __atomic_load_n(&places[(pc >> PLACE_SHIFT) % PLACES], __ATOMIC_RELAXED) == pc >> PLACE_SHIFT;
}

/* Whether the pc of a frame in no load object is code: the thread stands there, or it follows a call, or a run-time has pushed it
   and jumped (QEMU's does where memory is not in its cache). */
static bool is_run_time_code(struct walk *walk, const struct frame *s)
{
	uint64_t pc = s->pc & CONTEXT_ADDRESS;
	bool follows_tables = s > walk->known && !(s->pc & CONTEXT_HEURISTIC);
	if (s->pc & CONTEXT_EXACT)
		return true;
	if (!is_return_anywhere(walk, pc))
		return follows_tables && is_known_place(pc);
	if (follows_tables)
		remember_place(pc);
	return true;
}

enum walk_end step_without_cfi(struct walk *walk, struct frame *s, bool has_module)
{
	if (at_trampoline(walk, s))
		return step_signal(walk, s);
	if (leave_leaf(walk, s))
		return WALK_GOES_ON;
	if (has_module && s->sp != walk->run_time_sp && !record_leads_on(walk, s))
		return step_by_guess(walk, s);
	if (!has_module && s->sp != walk->run_time_sp && !is_run_time_code(walk, s))
		return WALK_NO_CODE;
	if (!leave_run_time_code(walk, s))
		return step_by_guess(walk, s);
	walk->stale = true;
	walk->sp_unknown = false;
	walk->run_time_sp = s[1].sp;
	return WALK_GOES_ON;
}
