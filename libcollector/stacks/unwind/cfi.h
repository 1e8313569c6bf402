/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information (.eh_frame): how the caller's state is found from a frame's, for one address. Handles any
   register numbering; the few registers that a walk needs are named by architecture.h. No state, no memory of its own:
   async-signal-safe. Source: DWARF 5, section 6.4; Linux Standard Base, "Exception Frames". */
#ifndef CFI_H
#define CFI_H

#include "cursor.h"
#include "modules.h"
#include <stdbool.h>
#include <stdint.h>

/* A number that may depend on the frame. */
enum cfi_value_kind {
	CFI_UNKNOWN,
	CFI_CONSTANT, /* offset */
	CFI_REGISTER, /* base + offset */
	CFI_MEMORY,   /* *(base + offset) + offset2 */
};
#define CFI_BASE_CFA 255 /* as `base`: the CFA instead of a register */
struct cfi_value {
	uint8_t kind, base;
	int64_t offset, offset2;
};

enum cfi_how {
	CFI_SAME,        /* the register keeps its value */
	CFI_UNDEFINED,   /* its value is lost; for the return address: the outermost frame */
	CFI_SAVED_AT,    /* saved at address `value` */
	CFI_IN_REGISTER, /* in register `number` plus value.offset */
	CFI_IS_VALUE,    /* is `value` */
};
struct cfi_rule {
	uint8_t how, number;
	struct cfi_value value;
};

struct cfi_row {
	bool found;          /* there is a row; else nothing below counts */
	bool signal_frame;   /* the caller was interrupted: its pc is no return address */
	uint64_t start, end; /* addresses of the function's table entry */
	struct cfi_value cfa;
	struct cfi_rule fp, sp, ra, wanted;
};
#define CFI_NONE_WANTED 254

/* The frame that expressions are evaluated in; both functions return false where a value cannot be known. */
struct cfi_machine {
	bool (*get)(const void *context, unsigned number, uint64_t *value);
	bool (*load)(const void *context, uint64_t address, uint64_t *value);
	const void *context;
};

/* The row of `pc` in `module`. Without a machine, expressions are folded symbolically as far as that goes; with one they
   give constants. `wanted`: one more register whose rule is asked for, or CFI_NONE_WANTED. */
void cfi_row(uint64_t pc, const struct module *module, const struct cfi_machine *machine, unsigned wanted,
	struct cfi_row *row);

/* A DWARF expression as a value (push_cfa: with the CFA on the stack at first). */
struct cfi_value cfi_expression(struct cursor code, uint64_t pc, bool push_cfa, const struct cfi_machine *machine);

/* The content of a table entry besides its program. */
struct cfi_entry {
	uint64_t code_alignment;
	int64_t data_alignment;
	unsigned return_column, pointer_encoding;
	bool signal_frame;
	uint64_t start, end; /* addresses */
	struct cursor initial, program;
};
/* Finds the entry of pc. False: there is none. */
bool cfi_find(uint64_t pc, const struct module *module, struct cfi_entry *entry);

#endif
