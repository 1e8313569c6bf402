/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of an x86-64 instruction, out of its text in AT&T syntax as libopcodes writes it. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

enum { NO_REGISTER = -1 };
struct operand {
	char text[64];
	enum operand_kind { OPERAND_REGISTER, OPERAND_NUMBER, OPERAND_MEMORY, OPERAND_OTHER } kind;
	int reg;          /* 0 to 15 of a general register, whatever part of it; NO_REGISTER */
	int64_t number;   /* an immediate one, or the displacement of memory */
	int base, index;  /* of memory */
	unsigned scale;   /* of memory; 0: it has no index */
	bool is_indirect; /* a "*" stands before it */
};
struct operation {
	char mnemonic[16];
	struct operand operands[4];
	unsigned count;
	uint64_t address; /* that a memory operand relative to the instruction has; 0: none */
};
/* False: the text is not understood. */
bool operation_parse(struct operation *operation, const char *text);
/* Whether it changes a register, or may; a call changes those that functions need not keep (System V ABI, 3.2.1). */
bool operation_writes(const struct operation *operation, int reg);

#endif
