/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the program makes at run time and names by collector_func_load(): a line of map.xml for each function, and a copy
   of its instructions and lines. */
#ifndef ANNOUNCED_CODE_H
#define ANNOUNCED_CODE_H

#include <stddef.h>
#include <stdint.h>

struct announced_code {
	const char *name, *alias, *source; /* or 0 */
	uint64_t address, size;
	const void *lines; /* pairs of 32-bit numbers: offset in the code, source line */
	size_t lines_size; /* bytes; 0: none */
};
/* Older code at any of its addresses is gone then. Not in handlers of ours. */
void announced_code_add(const struct announced_code *code);
/* The function that begins there, if there is one, is gone. */
void announced_code_remove(uint64_t address);

/* In a fork child that is recorded, which has what its parent has announced. */
void announced_code_in_child(void);

#endif
