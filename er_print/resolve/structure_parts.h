/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The direct parts of a structure, by DWARF. */
#ifndef STRUCTURE_PARTS_H
#define STRUCTURE_PARTS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum { PART_NAME_MAX = 128 };
struct structure_part {
	uint64_t offset, size;    /* bytes, in the structure; parts do not overlap, and leave no gaps */
	char name[PART_NAME_MAX]; /* "position"; "a,b" of bit fields in the same bytes; "" for what has none */
	uint32_t place;           /* among those that DWARF lists */
	bool has_type;            /* padding has none, nor have bit fields in the same bytes */
	Dwarf_Die type;
};
/* The parts of a structure (peeled) of `size` bytes, ascending. 0 if it has none that are known, or more than *budget, from
   which each entry that is read is subtracted. The caller frees the array. */
struct structure_part *structure_parts(Dwarf_Die *structure, uint64_t size, uint32_t *budget, uint32_t *count);
/* The names of a union's members, in the same form. */
void union_names(Dwarf_Die *type, char name[PART_NAME_MAX]);

#endif
