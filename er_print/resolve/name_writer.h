/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of names of entries and of types: for the files that make them only. */
#ifndef NAME_WRITER_H
#define NAME_WRITER_H

#include "entry_parents.h"
#include <stddef.h>

enum { NAME_TEXT_MAX = 8192, NESTING_MAX = 64 }; /* no compiler writes longer ones for people to read */

struct name_writer {
	struct entry_parents *parents;
	char text[NAME_TEXT_MAX];
	size_t length;
	unsigned nesting; /* of names in names: damaged entries may refer to themselves */
	bool failed;      /* it did not fit, or something is not known */
};

void name_put(struct name_writer *writer, const char *text);

/* Writes the scopes around an entry: "aa::main::". */
void name_put_scopes(struct name_writer *writer, const Dwarf_Die *die);
/* A class, structure, union or enumeration without what is around it: "vector<int, std::allocator<int> >". */
void name_put_class(struct name_writer *writer, Dwarf_Die *die);
/* "(int, char const*) const", of a function or a function's type. */
void name_put_arguments(struct name_writer *writer, Dwarf_Die *die);
/* "<int, 3ul>"; whether the entry has template arguments. */
bool name_put_template(struct name_writer *writer, Dwarf_Die *die);
/* As that, by the text of it in an entry's own name, as the compiler writes it. */
void name_put_written_arguments(struct name_writer *writer, const char *text);
/* A type of the language, by the compiler's name of it: "long unsigned int". */
void name_put_base_type(struct name_writer *writer, const char *name);
/* The type that is there (0: void). */
void name_put_type(struct name_writer *writer, const Dwarf_Die *type);
/* The type of an argument, a variable, a function's result. */
void name_put_type_of(struct name_writer *writer, Dwarf_Die *die);
/* "const" and "volatile" of what `this` points to: of the first argument, if it is none of the source. */
void name_put_qualifiers(struct name_writer *writer, Dwarf_Die *function);

#endif
