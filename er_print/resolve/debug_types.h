/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF's types: size, text, elements. Damaged ones, which may refer to themselves, have no size and a short text. */
#ifndef DEBUG_TYPES_H
#define DEBUG_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* The type of a variable, a member, an array's element. False if there is none. */
bool debug_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* The type behind typedefs and qualifiers. False if there is none. */
bool debug_type_peel(const Dwarf_Die *type, Dwarf_Die *peeled);
/* Bytes; 0 if not known. */
uint64_t debug_type_size(const Dwarf_Die *type);
/* A structure or class, peeled. */
bool debug_type_is_structure(Dwarf_Die *peeled);
/* The text in C: "struct particle[100]", "char *". */
enum { TYPE_TEXT_MAX = 256 };
void debug_type_text(const Dwarf_Die *type, char text[TYPE_TEXT_MAX]);
/* The next child of an entry, from its first on: `child` is it, before the first call its `addr` is 0. */
bool debug_next_child(Dwarf_Die *parent, Dwarf_Die *child);

#endif
