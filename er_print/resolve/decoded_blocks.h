/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The basic blocks of code, by its instructions. */
#ifndef DECODED_BLOCKS_H
#define DECODED_BLOCKS_H

#include "code_blocks.h"
#include "resolver.h"

/* Decodes the function and finds its blocks. They begin where a jump of the function leads to, and behind jumps, returns and calls
   of functions that never return (noreturn.def). A jump out of the function leaves it; where an indirect one leads to is not
   known. A block with a call that an exception may leave for a landing pad leads there, too. Code that cannot be decoded ends the
   blocks. False: nothing can be. The caller frees the arrays (code_blocks_free). */
bool decoded_blocks_make(struct resolver *resolver, const struct function *function, struct code_blocks *made);

#endif
