/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instruction each address of the data belongs to: a sample names an instruction's first byte, a call site the
   last byte of the call, and both must be one pc to the user. */
#ifndef INSTRUCTION_STARTS_H
#define INSTRUCTION_STARTS_H

#include "session.h"

struct instruction_starts {
	uint32_t address_count;
	uint32_t *start_of;          /* [address] the address (its number) that stands for the instruction */
	uint64_t *offset_of;         /* [address] the instruction's offset in the load object */
	uint32_t *function_of;       /* [address] the function whose code it is */
	struct distinct_names names; /* of the functions */
};
/* The starts for the addresses of the session's tree; disassembles the functions that have call sites. Where code cannot be read,
   an address stands for itself. */
struct instruction_starts instruction_starts_find(struct session *session);
void instruction_starts_free(struct instruction_starts *starts);

#endif
