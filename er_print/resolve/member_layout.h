/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of a structure, or of an array of them, lies at an offset. */
#ifndef MEMBER_LAYOUT_H
#define MEMBER_LAYOUT_H

#include "data_variable.h"
#include "storage.h"
#include <elfutils/libdw.h>

/* The parts of a type; 0 if it is no structure and no array of them. Their texts are the arena's; the caller frees it. */
struct member_layout *member_layout_read(const Dwarf_Die *type, struct arena *texts);
void member_layout_free(struct member_layout *layout);

/* The parts, ascending by offset; the layout's. */
const struct data_member *member_layout_members(const struct member_layout *layout, uint32_t *count);
/* Size in bytes of the structure that they are parts of. */
uint64_t member_layout_element(const struct member_layout *layout);
/* The number of the part at an offset from the variable's start. */
uint32_t member_layout_find(const struct member_layout *layout, uint64_t offset);

#endif
