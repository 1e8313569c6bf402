/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function by its symbol and its debug information; for the files that make functions of scopes. */
#ifndef SCOPE_FUNCTIONS_H
#define SCOPE_FUNCTIONS_H

#include "code_object.h"
#include "scopes.h"

/* Names that are made for a function, as long as its facts are used. */
struct scope_names {
	char artificial[400];
	char *long_name, *short_name;
};
void scope_names_free(struct scope_names *names);

/* The name of a symbol; one without a name has an artificial one. */
void symbol_facts(const struct code_object *object, uint32_t symbol, struct function_facts *facts,
	struct scope_names *names, struct functions *functions);
/* The name that the debug information gives a function, if it does: its linkage name, else its whole name. */
void name_by_origin(struct code_object *object, Dwarf_Die *die, const struct scope_origin *origin,
	struct scope_names *names, struct function_facts *facts);
/* Where it is declared; of a lambda, where that is. */
void facts_of_origin(struct code_object *object, struct unit *unit, Dwarf_Die *die, const struct scope_origin *origin,
	struct function_facts *facts);

#endif
