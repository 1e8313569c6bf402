/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads where instructions lead to out of their texts. */
#include "decoded_blocks.h"
#include "control_flow.h"
#include "decoded_code.h"
#include "disassembler.h"
#include "jump_tables.h"
#include "landing_pads.h"
#include "resolver_state.h"
#include "search.h"
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char *const noreturn[] = {
#define NORETURN(pattern) pattern,
#include "noreturn.def"
};

/* "call 1030 <abort@plt>": of a function that never returns. */
static bool never_returns(const char *text)
{
	char name[sizeof((struct instruction *)0)->text];
	const char *from = strchr(text, '<');
	size_t length = from ? strcspn(from + 1, "@>+") : 0;
	if (!length || from[1 + length] == '+')
		return false;
	memcpy(name, from + 1, length);
	name[length] = 0;
	for (size_t i = 0; i < sizeof noreturn / sizeof *noreturn; i++)
		if (!fnmatch(noreturn[i], name, 0))
			return true;
	return false;
}

/* The address that is the last operand, in hexadecimal with or without "0x", before a name in angle brackets. */
static bool read_target(const char *text, uint64_t *address)
{
	size_t length = strcspn(text, "<");
	while (length && text[length - 1] == ' ')
		length--;
	const char *end = text + length, *from = end;
	while (from > text && !isspace((unsigned char)from[-1]) && from[-1] != ',')
		from--;
	char *after;
	if (from == end || from == text || !isxdigit((unsigned char)*from))
		return false;
	*address = strtoull(from, &after, 16);
	return after == end;
}

static struct decoded taken(const struct instruction *instruction, const struct function *function, unsigned machine)
{
	struct decoded decoded = {.offset = instruction->offset - function->start, .target = NOWHERE};
	enum control_flow flow = control_flow_of(machine, instruction->text);
	uint64_t address;
	decoded.calls = flow == FLOW_CALL;
	decoded.ends = flow == FLOW_AWAY || (flow == FLOW_CALL && never_returns(instruction->text));
	decoded.returns = flow == FLOW_AWAY && control_flow_is_return(machine, instruction->text);
	if (flow != FLOW_BRANCH && !control_flow_is_jump(machine, instruction->text))
		return decoded;
	decoded.jumps = true;
	if (!read_target(instruction->text, &address))
		decoded.unknown = true;
	else if (address >= function->start && address < function->start + function->size)
		decoded.target = address - function->start;
	else
		decoded.returns = true;
	return decoded;
}

static void decode(struct decoding *decoding, struct resolver *resolver, const struct function *function)
{
	struct instruction instruction;
	struct error error;
	uint64_t end = function->start + function->size;
	uint32_t capacity = 0;
	for (uint64_t at = function->start; at < end && decoding->count < UINT32_MAX / 2; at += instruction.size) {
		if (!resolver_disassemble(resolver, function->object, at, end, &instruction, &error))
			break;
		memory_reserve(decoding->all, decoding->count, capacity);
		decoding->all[decoding->count++] =
			taken(&instruction, function, disassembler_machine(resolver->disassembler));
		decoding->size = at + instruction.size - function->start;
	}
}

struct decoded *decoded_at(const struct decoding *decoding, uint64_t offset)
{
	uint32_t low = (uint32_t)FIRST_WHERE(i, decoding->count, decoding->all[i].offset >= offset);
	return low < decoding->count && decoding->all[low].offset == offset ? &decoding->all[low] : 0;
}

void decoded_add_target(struct decoding *decoding, struct decoded *from, uint64_t offset)
{
	for (uint32_t i = 0; i < from->table_count; i++)
		if (decoding->targets[from->table + i] == offset)
			return;
	if (!from->table_count)
		from->table = decoding->target_count;
	decoding->targets = memory_room(decoding->targets, decoding->target_count, sizeof offset);
	decoding->targets[decoding->target_count++] = offset;
	from->table_count++;
}

static void read_tables(struct decoding *decoding, struct resolver *resolver, const struct function *function)
{
	for (uint32_t i = 0; i < decoding->count; i++) {
		bool leaves;
		if (!decoding->all[i].unknown || !jump_table_read(resolver, function, decoding, i, &leaves))
			continue;
		decoding->all[i].unknown = false;
		decoding->all[i].returns |= leaves;
	}
}

/* Calls that an exception may leave have the pad as a target. They do not end their blocks: that is rare. */
static void read_pads(struct decoding *decoding, struct resolver *resolver, const struct function *function)
{
	const struct code_object *object = resolver_found(resolver, function->object);
	uint32_t count = 0;
	struct landing_pad *pads =
		object && object->file ? landing_pads_read(object->file, function->start, &count) : 0;
	for (uint32_t p = 0; p < count; p++) {
		uint64_t pad = pads[p].pad - function->start, from = pads[p].from - function->start;
		struct decoded *at = decoded_at(decoding, pad);
		if (pads[p].from < function->start || !at)
			continue;
		at->is_pad = true;
		uint32_t i = (uint32_t)FIRST_WHERE(k, decoding->count, decoding->all[k].offset >= from);
		for (; i < decoding->count && decoding->all[i].offset < pads[p].to - function->start; i++)
			if (decoding->all[i].calls && !decoding->all[i].table_count)
				decoded_add_target(decoding, &decoding->all[i], pad);
	}
	free(pads);
}

static void find_leaders(struct decoding *decoding)
{
	decoding->all[0].leads = true;
	for (uint32_t i = 0; i < decoding->count; i++) {
		struct decoded *decoded = &decoding->all[i];
		struct decoded *target = decoded->target == NOWHERE ? 0 : decoded_at(decoding, decoded->target);
		decoded->unknown |= decoded->target != NOWHERE && !target;
		if (target)
			target->leads = true;
		for (uint32_t t = 0; t < decoded->table_count; t++)
			decoded_at(decoding, decoding->targets[decoded->table + t])->leads = true;
		if (i + 1 < decoding->count)
			decoded[1].leads |= decoded->ends || decoded->jumps;
	}
}

static void add_successor(struct code_blocks *made, uint64_t offset)
{
	struct code_block *block = &made->blocks[made->count];
	made->successors = memory_room(made->successors, made->successor_count, sizeof offset);
	made->successors[made->successor_count++] = offset;
	block->count++;
}

static void add_targets(struct code_blocks *made, const struct decoding *decoding, const struct decoded *from)
{
	for (uint32_t t = 0; t < from->table_count; t++)
		add_successor(made, decoding->targets[from->table + t]);
}

/* Adds the block of these instructions, both included; it goes on to the one behind it, or the code ends there. */
static void add_block(struct code_blocks *made, const struct decoding *decoding, uint32_t first, uint32_t last)
{
	const struct decoded *decoded = &decoding->all[last];
	bool is_last = last + 1 == decoding->count;
	uint64_t end = is_last ? decoding->size : decoded[1].offset;
	made->blocks = memory_room(made->blocks, made->count, sizeof *made->blocks);
	made->blocks[made->count] = (struct code_block){.start = decoding->all[first].offset,
		.end = end,
		.first = made->successor_count,
		.has_unknown_targets = decoded->unknown,
		.returns = decoded->returns,
		.is_pad = decoding->all[first].is_pad};
	if (decoded->jumps && !decoded->unknown && decoded->target != NOWHERE)
		add_successor(made, decoded->target);
	for (uint32_t i = first; i <= last; i++)
		add_targets(made, decoding, &decoding->all[i]);
	if (!decoded->ends && !is_last)
		add_successor(made, end);
	made->count++;
}

bool decoded_blocks_make(struct resolver *resolver, const struct function *function, struct code_blocks *made)
{
	struct decoding decoding = {0};
	*made = (struct code_blocks){.instruction_size = 1};
	decode(&decoding, resolver, function);
	if (!decoding.count)
		return false;
	read_tables(&decoding, resolver, function);
	read_pads(&decoding, resolver, function);
	find_leaders(&decoding);
	made->instructions = memory_new(decoding.count, sizeof *made->instructions);
	made->instruction_count = decoding.count;
	uint32_t first = 0;
	for (uint32_t i = 0; i < decoding.count; i++) {
		made->instructions[i] = decoding.all[i].offset;
		if (i + 1 < decoding.count && !decoding.all[i + 1].leads)
			continue;
		add_block(made, &decoding, first, i);
		first = i + 1;
	}
	free(decoding.all);
	free(decoding.targets);
	return true;
}
