/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The targets of jumps through tables, as compilers make them of a switch. */
#ifndef JUMP_TABLES_H
#define JUMP_TABLES_H

#include "decoded_code.h"
#include "resolver.h"

/* Reads the table that the jump, an instruction by its place in `all`, goes through: where it is, how long it is by a comparison or
   a mask before the jump, and its entries. Adds the targets that are in the function, and says in *leaves whether there are others.
   A jump to what memory without an index says has no table and leaves: it is a call at the function's end. False: it is not
   understood, and nothing was added. Of x86-64. */
bool jump_table_read(struct resolver *resolver, const struct function *function, struct decoding *decoding,
	uint32_t jump, bool *leaves);

#endif
