/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions and inlined calls of a compilation unit: one walk over its entries. */
#include "scopes.h"
#include <dwarf.h>
#include <stdlib.h>

enum { DEPTH_MAX = 512 }; /* of nested entries; compilers stay below 100 */

struct walk {
	struct unit *unit;
	struct interval *intervals;
	uint32_t count;
};

/* A scope with code becomes one; the number, or `parent` if it has none. */
static uint32_t add_scope(struct walk *walk, Dwarf_Die *die, bool inlined, uint32_t parent, uint32_t depth)
{
	struct unit *unit = walk->unit;
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	uint32_t number = unit->scope_count;
	bool code = false;
	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		walk->intervals = memory_room(walk->intervals, walk->count, sizeof *walk->intervals);
		walk->intervals[walk->count++] = (struct interval){low, high, number, depth};
		code = true;
	}
	if (!code)
		return NO_SCOPE;
	unit->scopes = memory_room(unit->scopes, unit->scope_count, sizeof *unit->scopes);
	unit->scopes[unit->scope_count++] =
		/* A function within a function (Fortran, Ada, gcc's C) is called as any other, so its frame does not stand within
		   its parent's. */
		(struct scope){*die, inlined ? parent : NO_SCOPE, inlined, NO_SCOPE, NO_SCOPE, NO_SCOPE};
	return number;
}

static void visit_children(struct walk *walk, Dwarf_Die *parent_die, uint32_t parent, uint32_t depth);

static void visit(struct walk *walk, Dwarf_Die *die, uint32_t parent, uint32_t depth)
{
	uint32_t scope;
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		/* Without code it is a declaration or what inlined copies refer to. The latter may hold a function that has
		   code: gcc makes one of each parallel region. */
		scope = add_scope(walk, die, false, NO_SCOPE, depth);
		if (scope != NO_SCOPE || dwarf_hasattr(die, DW_AT_inline))
			visit_children(walk, die, scope, depth);
		break;
	case DW_TAG_inlined_subroutine:
		if (parent == NO_SCOPE)
			break;
		scope = add_scope(walk, die, true, parent, depth);
		if (scope != NO_SCOPE)
			visit_children(walk, die, scope, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		visit_children(walk, die, parent, depth);
		break;
	default:
		break;
	}
}

static void visit_children(struct walk *walk, Dwarf_Die *parent_die, uint32_t parent, uint32_t depth)
{
	Dwarf_Die die, next;
	if (depth >= DEPTH_MAX || dwarf_child(parent_die, &die))
		return;
	for (;;) {
		visit(walk, &die, parent, depth + 1);
		/* A damaged sibling reference may point back. */
		if (dwarf_siblingof(&die, &next) || (char *)next.addr <= (char *)die.addr)
			return;
		die = next;
	}
}

void unit_find_scopes(struct unit *unit)
{
	struct walk walk = {.unit = unit};
	visit_children(&walk, &unit->inner, NO_SCOPE, 0);
	interval_map_build(&unit->innermost, walk.intervals, walk.count);
	free(walk.intervals);
}

const void *scope_entry(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin;
	return dwarf_attr(die, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin)
		       ? origin.addr
		       : die->addr;
}

void scope_origin(Dwarf_Die *die, struct scope_origin *origin)
{
	Dwarf_Attribute attribute;
	int line = 0;
	*origin = (struct scope_origin){.entry = scope_entry(die)};
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		origin->name = dwarf_formstring(&attribute);
	origin->linkage = origin->name != 0;
	if (!origin->name)
		origin->name = dwarf_diename(die);
	origin->file = entry_file(die);
	if (!dwarf_decl_line(die, &line) && line > 0)
		origin->line = (uint32_t)line;
	bool external = false;
	if (dwarf_attr_integrate(die, DW_AT_external, &attribute) && !dwarf_formflag(&attribute, &external))
		origin->external = external;
}

uint32_t scope_call(const struct unit *unit, struct scope *scope, const char **file)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0, index = 0;
	*file = 0;
	if (!dwarf_attr(&scope->die, DW_AT_call_line, &attribute) || dwarf_formudata(&attribute, &line) ||
		line > INT32_MAX)
		return 0;
	if (dwarf_attr(&scope->die, DW_AT_call_file, &attribute) && !dwarf_formudata(&attribute, &index) &&
		index < unit->call_file_count)
		*file = dwarf_filesrc(unit->call_files, index, 0, 0);
	return (uint32_t)line;
}
