/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the programs of call frame information up to an address. */
#include "cfi.h"
#include "architecture.h"

/* A rule as the program states it; resolved to a struct cfi_rule at the end. */
struct statement {
	enum { SAME, UNDEFINED, AT_OFFSET, AT_EXPRESSION, IN_REGISTER, IS_OFFSET, IS_EXPRESSION } how;
	unsigned number;
	int64_t offset;
	struct cursor expression;
};
struct table_state {
	struct statement cfa, fp, sp, ra, wanted, other; /* cfa: IN_REGISTER plus offset, or IS_EXPRESSION */
};
#define REMEMBER_DEPTH 8

struct interpreter {
	const struct cfi_entry *entry;
	unsigned wanted;
	uint64_t location, pc;
	struct table_state state, remembered[REMEMBER_DEPTH];
	const struct table_state *initial; /* 0 while the common program runs */
	unsigned depth;
	bool done;
};

static struct statement *place(struct interpreter *i, struct table_state *state, uint64_t number)
{
	if (number == DWARF_FRAME_POINTER)
		return &state->fp;
	if (number == i->entry->return_column)
		return &state->ra;
	if (number == DWARF_STACK_POINTER)
		return &state->sp;
	return number == i->wanted ? &state->wanted : &state->other;
}

static void set(struct interpreter *i, uint64_t number, int how, int64_t offset)
{
	*place(i, &i->state, number) = (struct statement){.how = how, .offset = offset};
}

static void restore(struct interpreter *i, uint64_t number)
{
	if (i->initial)
		*place(i, &i->state, number) = *place(i, (struct table_state *)i->initial, number);
}

static void advance(struct interpreter *i, uint64_t delta)
{
	i->location += delta * i->entry->code_alignment;
	i->done = i->location > i->pc;
}

static struct cursor block(struct cursor *code)
{
	uint64_t size = cursor_uleb128(code);
	struct cursor expression = *code;
	cursor_skip(code, size);
	expression.end = code->at;
	return expression;
}

/* The instructions that define the CFA. False: not one of them. */
static bool define_cfa(struct interpreter *i, unsigned char operation, struct cursor *code)
{
	struct statement *cfa = &i->state.cfa;
	switch (operation) {
	case 0x0c: /* def_cfa */
	case 0x12: /* def_cfa_sf */
		*cfa = (struct statement){.how = IN_REGISTER, .number = (unsigned)cursor_uleb128(code)};
		cfa->offset = operation == 0x0c ? (int64_t)cursor_uleb128(code)
						: cursor_sleb128(code) * i->entry->data_alignment;
		return true;
	case 0x0d: /* def_cfa_register */
		cfa->number = (unsigned)cursor_uleb128(code);
		return true;
	case 0x0e: /* def_cfa_offset */
		cfa->offset = (int64_t)cursor_uleb128(code);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		cfa->offset = cursor_sleb128(code) * i->entry->data_alignment;
		return true;
	case 0x0f: /* def_cfa_expression */
		*cfa = (struct statement){.how = IS_EXPRESSION, .expression = block(code)};
		return true;
	default:
		return false;
	}
}

/* The instructions that say where a register is. False: not one of them. */
static bool define_register(struct interpreter *i, unsigned char operation, struct cursor *code)
{
	int64_t alignment = i->entry->data_alignment;
	uint64_t number = cursor_uleb128(code), other;
	struct statement *statement = place(i, &i->state, number);
	switch (operation) {
	case 0x05: /* offset_extended */
		set(i, number, AT_OFFSET, (int64_t)cursor_uleb128(code) * alignment);
		return true;
	case 0x06: /* restore_extended */
		restore(i, number);
		return true;
	case 0x07:
	case 0x08:
		set(i, number, operation == 0x07 ? UNDEFINED : SAME, 0);
		return true;
	case 0x09: /* register */
		other = cursor_uleb128(code);
		*statement = (struct statement){.how = IN_REGISTER, .number = (unsigned)other};
		return true;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		*statement = (struct statement){.how = operation == 0x10 ? AT_EXPRESSION : IS_EXPRESSION};
		statement->expression = block(code);
		return true;
	case 0x11: /* offset_extended_sf */
		set(i, number, AT_OFFSET, cursor_sleb128(code) * alignment);
		return true;
	case 0x14: /* val_offset */
		set(i, number, IS_OFFSET, (int64_t)cursor_uleb128(code) * alignment);
		return true;
	case 0x15: /* val_offset_sf */
		set(i, number, IS_OFFSET, cursor_sleb128(code) * alignment);
		return true;
	case 0x2f: /* GNU_negative_offset_extended */
		set(i, number, AT_OFFSET, -(int64_t)cursor_uleb128(code) * alignment);
		return true;
	default:
		return false;
	}
}

/* False: an instruction that nobody knows, so the row is not known either. */
static bool execute(struct interpreter *i, unsigned char operation, struct cursor *code)
{
	unsigned char low = operation & 63;
	switch (operation >> 6) {
	case 1:
		advance(i, low);
		return true;
	case 2:
		set(i, low, AT_OFFSET, (int64_t)cursor_uleb128(code) * i->entry->data_alignment);
		return true;
	case 3:
		restore(i, low);
		return true;
	}
	switch (operation) {
	case 0x00: /* nop */
	case 0x2d: /* AArch64: return addresses are signed from here on, or not; GNU_window_save elsewhere */
		return true;
	case 0x01: /* set_loc */
		i->location = cursor_pointer(code, i->entry->pointer_encoding, 0);
		i->done = i->location > i->pc;
		return true;
	case 0x02:
	case 0x03:
	case 0x04:
		advance(i, cursor_unsigned(code, 1u << (operation - 2)));
		return true;
	case 0x0a: /* remember_state */
		if (i->depth == REMEMBER_DEPTH)
			return false;
		i->remembered[i->depth++] = i->state;
		return true;
	case 0x0b: /* restore_state */
		if (!i->depth)
			return false;
		i->state = i->remembered[--i->depth];
		return true;
	case 0x2e: /* GNU_args_size */
		cursor_uleb128(code);
		return true;
	default:
		return define_cfa(i, operation, code) || define_register(i, operation, code);
	}
}

static bool run(struct interpreter *i, struct cursor code)
{
	i->depth = 0;
	i->done = false;
	while (cursor_more(&code) && !i->done)
		if (!execute(i, cursor_byte(&code), &code))
			return false;
	return true;
}

static struct cfi_rule resolve(const struct statement *s, uint64_t pc, const struct cfi_machine *machine)
{
	struct cfi_value from_cfa = {CFI_REGISTER, CFI_BASE_CFA, s->offset, 0};
	switch (s->how) {
	case SAME:
		return (struct cfi_rule){.how = CFI_SAME};
	case UNDEFINED:
		return (struct cfi_rule){.how = CFI_UNDEFINED};
	case AT_OFFSET:
		return (struct cfi_rule){.how = CFI_SAVED_AT, .value = from_cfa};
	case AT_EXPRESSION:
		return (struct cfi_rule){
			.how = CFI_SAVED_AT, .value = cfi_expression(s->expression, pc, true, machine)};
	case IN_REGISTER:
		return (struct cfi_rule){.how = CFI_IN_REGISTER, .number = (uint8_t)s->number};
	case IS_OFFSET:
		return (struct cfi_rule){.how = CFI_IS_VALUE, .value = from_cfa};
	default:
		return (struct cfi_rule){
			.how = CFI_IS_VALUE, .value = cfi_expression(s->expression, pc, true, machine)};
	}
}

void cfi_row(uint64_t pc, const struct module *module, const struct cfi_machine *machine, unsigned wanted,
	struct cfi_row *row)
{
	struct cfi_entry entry;
	struct table_state initial;
	memset(row, 0, sizeof *row);
	if (!cfi_find(pc, module, &entry))
		return;
	struct interpreter i = {.entry = &entry, .wanted = wanted, .pc = ~0ull};
	i.state.cfa.how = IN_REGISTER;
	i.state.cfa.number = DWARF_STACK_POINTER;
	i.state.ra.how = RETURN_BELOW_CFA ? UNDEFINED : SAME;
	if (!run(&i, entry.initial))
		return;
	initial = i.state;
	i.initial = &initial;
	i.location = entry.start;
	i.pc = pc;
	if (!run(&i, entry.program))
		return;
	row->found = true;
	row->signal_frame = entry.signal_frame;
	row->start = entry.start;
	row->end = entry.end;
	if (i.state.cfa.how == IN_REGISTER)
		row->cfa = (struct cfi_value){CFI_REGISTER, (uint8_t)i.state.cfa.number, i.state.cfa.offset, 0};
	else
		row->cfa = cfi_expression(i.state.cfa.expression, pc, false, machine);
	row->fp = resolve(&i.state.fp, pc, machine);
	row->sp = resolve(&i.state.sp, pc, machine);
	row->ra = resolve(&i.state.ra, pc, machine);
	row->wanted = resolve(&i.state.wanted, pc, machine);
}
