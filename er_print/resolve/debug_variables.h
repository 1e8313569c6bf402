/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of DWARF that have an address of their own: of files, of functions ("function::name"), of namespaces and
   modules. */
#ifndef DEBUG_VARIABLES_H
#define DEBUG_VARIABLES_H

#include "storage.h"
#include "units.h"

struct debug_variable {
	uint64_t start, size; /* ELF virtual address, bytes; size is not 0 */
	const char *name;     /* in its scopes; in the arena */
	bool scoped;          /* there is a scope in the name */
	bool common;          /* part of a common block */
	Dwarf_Die die, type;
	uint32_t file, line; /* of the declaration, the file in units->paths; 0 if not known */
};
typedef void debug_variable_visitor(void *context, const struct debug_variable *variable);
/* Visits each, those that several units declare several times. */
void debug_variables_visit(struct units *units, struct arena *names, debug_variable_visitor *visitor, void *context);

#endif
