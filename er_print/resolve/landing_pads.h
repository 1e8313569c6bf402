/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Landing pads: where a function goes on when an exception leaves one of its calls. */
#ifndef LANDING_PADS_H
#define LANDING_PADS_H

#include "elf_file.h"
#include <stdbool.h>
#include <stdint.h>

/* Calls between two addresses of the file, half-open, go on at another one when an exception leaves them. */
struct landing_pad {
	uint64_t from, to, pad;
};
/* Those of the function whose code holds the address, by .eh_frame (Linux Standard Base, Core, chapter 10.6) and the
   language-specific data that it names, as g++ and clang write it (LLVM, "Exception Handling Tables"). *count 0: it has none, or
   they cannot be read. The caller frees the array. */
struct landing_pad *landing_pads_read(const struct elf_file *file, uint64_t address, uint32_t *count);

#endif
