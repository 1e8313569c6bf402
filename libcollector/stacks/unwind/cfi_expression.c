/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF expressions of call frame information, symbolically (a register plus an offset) or in a known frame. */
#include "architecture.h"
#include "cfi.h"

#define STACK_DEPTH      32u
#define OPERATIONS_LIMIT 256u /* of one expression: branches could loop */

struct expression {
	struct cursor code;
	const unsigned char *start;
	uint64_t pc;
	const struct cfi_machine *machine;
	struct cfi_value stack[STACK_DEPTH];
	unsigned depth;
};

static struct cfi_value constant(int64_t value)
{
	return (struct cfi_value){CFI_CONSTANT, 0, value, 0};
}

static bool push(struct expression *e, struct cfi_value value)
{
	if (e->depth == STACK_DEPTH || value.kind == CFI_UNKNOWN)
		return false;
	e->stack[e->depth++] = value;
	return true;
}

static struct cfi_value sum_of(struct cfi_value value, int64_t n)
{
	if (value.kind == CFI_MEMORY)
		value.offset2 += n;
	else
		value.offset += n;
	return value;
}

static bool push_register(struct expression *e, unsigned number, int64_t offset)
{
	uint64_t value;
#if RETURN_BELOW_CFA
	if (number == DWARF_RETURN) /* the program counter: constant in a row, so expressions of PLTs fold */
		return push(e, constant((int64_t)e->pc + offset));
#endif
	if (!e->machine)
		return push(e, (struct cfi_value){CFI_REGISTER, (uint8_t)number, offset, 0});
	return e->machine->get(e->machine->context, number, &value) && push(e, constant((int64_t)value + offset));
}

static bool dereference(struct expression *e)
{
	struct cfi_value *top = &e->stack[e->depth - 1];
	if (!e->depth)
		return false;
	if (top->kind == CFI_REGISTER) {
		*top = (struct cfi_value){CFI_MEMORY, top->base, top->offset, 0};
		return true;
	}
	return top->kind == CFI_CONSTANT && e->machine &&
	       e->machine->load(e->machine->context, (uint64_t)top->offset, (uint64_t *)&top->offset);
}

static bool fold(unsigned char operation, int64_t a, int64_t b, int64_t *result)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
	switch (operation) {
	case 0x1a:
		*result = a & b;
		return true;
	case 0x1b:
		*result = b && b != -1 ? a / b : -a;
		return b != 0;
	case 0x1c:
		*result = (int64_t)(ua - ub);
		return true;
	case 0x1d:
		*result = b ? (int64_t)(ua % ub) : 0;
		return b != 0;
	case 0x1e:
		*result = (int64_t)(ua * ub);
		return true;
	case 0x21:
		*result = a | b;
		return true;
	case 0x22:
		*result = (int64_t)(ua + ub);
		return true;
	case 0x24:
		*result = ub < 64 ? (int64_t)(ua << ub) : 0;
		return true;
	case 0x25:
		*result = ub < 64 ? (int64_t)(ua >> ub) : 0;
		return true;
	case 0x26:
		*result = a >> (ub < 64 ? ub : 63);
		return true;
	case 0x27:
		*result = a ^ b;
		return true;
	case 0x29:
		*result = a == b;
		return true;
	case 0x2a:
		*result = a >= b;
		return true;
	case 0x2b:
		*result = a > b;
		return true;
	case 0x2c:
		*result = a <= b;
		return true;
	case 0x2d:
		*result = a < b;
		return true;
	case 0x2e:
		*result = a != b;
		return true;
	default:
		return false;
	}
}

static bool binary(struct expression *e, unsigned char operation)
{
	struct cfi_value a, b;
	int64_t result;
	if (e->depth < 2)
		return false;
	b = e->stack[--e->depth];
	a = e->stack[--e->depth];
	if ((operation == 0x22 || operation == 0x1c) && b.kind == CFI_CONSTANT)
		return push(e, sum_of(a, operation == 0x22 ? b.offset : -b.offset));
	if (operation == 0x22 && a.kind == CFI_CONSTANT)
		return push(e, sum_of(b, a.offset));
	return a.kind == CFI_CONSTANT && b.kind == CFI_CONSTANT && fold(operation, a.offset, b.offset, &result) &&
	       push(e, constant(result));
}

static bool unary(struct expression *e, unsigned char operation)
{
	struct cfi_value *top = &e->stack[e->depth - 1];
	if (!e->depth || top->kind != CFI_CONSTANT)
		return false;
	if (operation == 0x20)
		top->offset = ~top->offset;
	else if (operation == 0x1f || top->offset < 0)
		top->offset = (int64_t)(0 - (uint64_t)top->offset);
	return true;
}

static bool shuffle(struct expression *e, unsigned char operation)
{
	struct cfi_value *s = e->stack, top;
	unsigned n = e->depth, index = operation == 0x15 ? cursor_byte(&e->code) : operation == 0x14;
	switch (operation) {
	case 0x12: /* dup */
	case 0x14: /* over */
	case 0x15: /* pick */
		return index < n && push(e, s[n - 1 - index]);
	case 0x13: /* drop */
		return n && e->depth--;
	case 0x16: /* swap */
		if (n < 2)
			return false;
		top = s[n - 1];
		s[n - 1] = s[n - 2];
		s[n - 2] = top;
		return true;
	default: /* rot */
		if (n < 3)
			return false;
		top = s[n - 1];
		s[n - 1] = s[n - 2];
		s[n - 2] = s[n - 3];
		s[n - 3] = top;
		return true;
	}
}

static bool branch(struct expression *e, unsigned char operation)
{
	int64_t distance = cursor_signed(&e->code, 2), target;
	if (operation == 0x28) {
		if (!e->depth || e->stack[--e->depth].kind != CFI_CONSTANT)
			return false;
		if (!e->stack[e->depth].offset)
			return true;
	}
	target = e->code.at - e->start + distance;
	if (target < 0 || target > e->code.end - e->start)
		return false;
	e->code.at = e->start + target;
	return true;
}

static bool operate(struct expression *e, unsigned char operation)
{
	struct cursor *code = &e->code;
	unsigned number;
	if (operation >= 0x30 && operation <= 0x4f) /* lit */
		return push(e, constant(operation - 0x30));
	if (operation >= 0x70 && operation <= 0x8f) /* breg */
		return push_register(e, operation - 0x70u, cursor_sleb128(code));
	if (operation >= 0x08 && operation <= 0x0f) { /* const 1u 1s 2u 2s ... */
		unsigned size = 1u << ((operation - 8) / 2);
		return push(
			e, constant(operation & 1 ? cursor_signed(code, size) : (int64_t)cursor_unsigned(code, size)));
	}
	switch (operation) {
	case 0x03:
		return push(e, constant((int64_t)cursor_unsigned(code, 8)));
	case 0x06:
		return dereference(e);
	case 0x10:
		return push(e, constant((int64_t)cursor_uleb128(code)));
	case 0x11:
		return push(e, constant(cursor_sleb128(code)));
	case 0x19:
	case 0x1f:
	case 0x20:
		return unary(e, operation);
	case 0x12:
	case 0x13:
	case 0x14:
	case 0x15:
	case 0x16:
	case 0x17:
		return shuffle(e, operation);
	case 0x23: /* plus_uconst */
		if (!e->depth)
			return false;
		e->stack[e->depth - 1] = sum_of(e->stack[e->depth - 1], (int64_t)cursor_uleb128(code));
		return true;
	case 0x28:
	case 0x2f:
		return branch(e, operation);
	case 0x92: /* bregx */
		number = (unsigned)cursor_uleb128(code);
		return push_register(e, number, cursor_sleb128(code));
	case 0x96:
		return true;
	default:
		return binary(e, operation);
	}
}

struct cfi_value cfi_expression(struct cursor code, uint64_t pc, bool push_cfa, const struct cfi_machine *machine)
{
	struct expression e = {.code = code, .start = code.at, .pc = pc, .machine = machine};
	const struct cfi_value unknown = {CFI_UNKNOWN, 0, 0, 0};
	if (push_cfa)
		push(&e, (struct cfi_value){CFI_REGISTER, CFI_BASE_CFA, 0, 0});
	for (unsigned i = 0; cursor_more(&e.code); i++)
		if (i == OPERATIONS_LIMIT || !operate(&e, cursor_byte(&e.code)))
			return unknown;
	return e.depth ? e.stack[e.depth - 1] : unknown;
}
