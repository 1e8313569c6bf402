/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions and inlined calls of a compilation unit, from its tree of debugging information entries. */
#ifndef SCOPES_H
#define SCOPES_H

#include "units.h"

/* Fills unit->scopes and unit->innermost. */
void unit_find_scopes(struct unit *unit);

/* The attributes of a scope's entry, or of the one that it is an instance of. */
struct scope_origin {
	const char *name;  /* linkage name, else source name; 0: none. Owned by libdw */
	bool linkage;      /* it is the linkage name */
	const void *entry; /* of which all inlined and other copies are instances */
	const char *file;  /* where it is declared, or 0 */
	uint32_t line;
	bool external;
};
/* The entry alone. */
const void *scope_entry(Dwarf_Die *die);
void scope_origin(Dwarf_Die *die, struct scope_origin *origin);
/* File and line of the call that was inlined; *file as recorded, or 0. */
uint32_t scope_call(const struct unit *unit, struct scope *scope, const char **file);

#endif
