/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the text of an instruction apart. */
#include "operands.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const registers[16] = {
	"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "8", "9", "10", "11", "12", "13", "14", "15"};
enum { AX, CX, DX, BX, SP, BP, SI, DI };

/* "%rax", "%eax", "%ax" and "%al" are one register. */
static int register_of(const char *text, size_t length)
{
	if (length < 3 || text[0] != '%')
		return NO_REGISTER;
	const char *name = text + 1;
	length--;
	if (*name == 'r' && isdigit((unsigned char)name[1])) {
		char *end;
		unsigned long number = strtoul(name + 1, &end, 10);
		return number >= 8 && number < 16 && end + 1 >= name + length ? (int)number : NO_REGISTER;
	}
	if (length == 3 && (*name == 'r' || *name == 'e')) {
		name++;
		length--;
	}
	for (int i = AX; i <= DI; i++) {
		if (length == 2 && !strncmp(name, registers[i], 2))
			return i;
		bool low = i <= BX ? length == 2 && name[0] == registers[i][0] && name[1] == 'l'
				   : length == 3 && !strncmp(name, registers[i], 2) && name[2] == 'l';
		if (low)
			return i;
	}
	return NO_REGISTER;
}

/* "0x10(%rax,%rdi,4)", "(%rax)", "0x10(,%rdi,8)" */
static void parse_memory(struct operand *operand, const char *text)
{
	const char *open = strchr(text, '('), *close = strchr(text, ')');
	operand->kind = OPERAND_MEMORY;
	operand->number = (int64_t)strtoull(text + (*text == '-'), 0, 16) * (*text == '-' ? -1 : 1);
	if (!open || !close || open > close)
		return;
	size_t base = strcspn(open + 1, ",)");
	operand->base = register_of(open + 1, base);
	if (open[1 + base] != ',')
		return;
	const char *index = open + 2 + base;
	size_t length = strcspn(index, ",)");
	operand->index = register_of(index, length);
	operand->scale = index[length] == ',' ? (unsigned)strtoul(index + length + 1, 0, 10) : 1;
}

static bool parse_operand(struct operand *operand, const char *text, size_t length)
{
	*operand =
		(struct operand){.kind = OPERAND_OTHER, .reg = NO_REGISTER, .base = NO_REGISTER, .index = NO_REGISTER};
	if (length >= sizeof operand->text)
		return false;
	memcpy(operand->text, text, length);
	operand->is_indirect = *text == '*';
	const char *own = operand->text + operand->is_indirect;
	if (*own == '$') {
		operand->kind = OPERAND_NUMBER;
		operand->number = (int64_t)strtoull(own + 1, 0, 16);
	} else if (*own == '%' && !strchr(own, ':')) {
		operand->kind = OPERAND_REGISTER;
		operand->reg = register_of(own, strlen(own));
	} else if (strchr(own, '(')) {
		parse_memory(operand, own);
	}
	return true;
}

/* The end of an operand: a comma outside of parentheses, or the end. */
static size_t operand_length(const char *text)
{
	size_t length = 0;
	bool inside = false;
	for (; text[length] && (inside || text[length] != ','); length++)
		inside = text[length] == '(' || (inside && text[length] != ')');
	return length;
}

bool operation_parse(struct operation *operation, const char *text)
{
	char operands[256];
	*operation = (struct operation){0};
	const char *comment = strchr(text, '#');
	size_t whole = comment ? (size_t)(comment - text) : strlen(text);
	while (whole && text[whole - 1] == ' ')
		whole--;
	if (!strncmp(text, "notrack ", 8)) {
		text += 8;
		whole -= whole < 8 ? whole : 8;
	}
	size_t name = strcspn(text, " \t");
	if (name >= sizeof operation->mnemonic || whole >= sizeof operands)
		return false;
	memcpy(operation->mnemonic, text, name);
	memcpy(operands, text, whole);
	operands[whole] = 0;
	operation->address = comment ? strtoull(comment + 1, 0, 16) : 0;
	const char *at = operands + (name < whole ? name : whole);
	at += strspn(at, " \t");
	while (*at && operation->count < sizeof operation->operands / sizeof *operation->operands) {
		size_t length = operand_length(at);
		if (!parse_operand(&operation->operands[operation->count++], at, length))
			return false;
		at += length + (at[length] == ',');
	}
	return true;
}

bool operation_writes(const struct operation *operation, int reg)
{
	static const char *const readers[] = {"cmp", "test", "push", "j"};
	const char *name = operation->mnemonic;
	if (!strncmp(name, "call", 4))
		return reg == AX || reg == CX || reg == DX || reg == SI || reg == DI || (reg >= 8 && reg <= 11);
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (!strncmp(name, readers[i], strlen(readers[i])))
			return false;
	if (!strncmp(name, "xchg", 4) && operation->count == 2 && operation->operands[0].reg == reg)
		return true;
	bool wide = operation->count <= 1 && (!strncmp(name, "mul", 3) || !strncmp(name, "div", 3) ||
						     !strncmp(name, "imul", 4) || !strncmp(name, "idiv", 4));
	if (wide || !strncmp(name, "cpuid", 5))
		return reg == AX || reg == DX || reg == CX || reg == BX;
	return operation->count && operation->operands[operation->count - 1].kind == OPERAND_REGISTER &&
	       operation->operands[operation->count - 1].reg == reg;
}
