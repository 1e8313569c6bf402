/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk over the entries of each unit. */
#include "debug_variables.h"
#include "debug_types.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 512, SCOPES_TEXT_MAX = 1024 };

struct walk {
	struct units *units;
	struct unit *unit;
	struct arena *names;
	debug_variable_visitor *visitor;
	void *context;
	char scopes[SCOPES_TEXT_MAX]; /* "outer::inner::" */
	bool common;
};

/* DWARF 5, 2.6: a location that is one constant address. What is each thread's own has none. */
static bool constant_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute location, constant;
	Dwarf_Op *operations;
	Dwarf_Addr base;
	size_t count;
	if (!dwarf_attr(die, DW_AT_location, &location) || dwarf_getlocation(&location, &operations, &count) ||
		!count || count > 2)
		return false;
	if (operations->atom == DW_OP_addr)
		base = operations->number;
	else if ((operations->atom != DW_OP_addrx && operations->atom != DW_OP_GNU_addr_index) ||
		 dwarf_getlocation_attr(&location, operations, &constant) || dwarf_formaddr(&constant, &base))
		return false;
	if (count == 2 && operations[1].atom != DW_OP_plus_uconst)
		return false;
	*address = base + (count == 2 ? operations[1].number : 0);
	return *address != 0; /* what the linker threw away is left at 0 */
}

static void visit_variable(struct walk *walk, Dwarf_Die *die)
{
	struct debug_variable variable = {.scoped = walk->scopes[0], .common = walk->common, .die = *die};
	const char *name = dwarf_diename(die);
	char text[SCOPES_TEXT_MAX + 256];
	int line;
	if (!name || !constant_address(die, &variable.start) || !debug_type_of(die, &variable.type))
		return;
	variable.size = debug_type_size(&variable.type);
	if (!variable.size || variable.size > UINT64_MAX - variable.start)
		return;
	snprintf(text, sizeof text, "%s%.250s", walk->scopes, name);
	variable.name = arena_string(walk->names, text, strlen(text));
	variable.file = unit_path(walk->units, walk->unit, entry_file(die));
	variable.line = !dwarf_decl_line(die, &line) && line > 0 ? (uint32_t)line : 0;
	walk->visitor(walk->context, &variable);
}

static void visit_children(struct walk *walk, Dwarf_Die *parent, unsigned depth);

static void visit_scope(struct walk *walk, Dwarf_Die *die, const char *name, unsigned depth)
{
	size_t length = strlen(walk->scopes);
	if (name && length + strlen(name) + 3 < sizeof walk->scopes)
		snprintf(walk->scopes + length, sizeof walk->scopes - length, "%s::", name);
	visit_children(walk, die, depth);
	walk->scopes[length] = 0;
}

/* A variable outside of functions: all that declare it mean the same. */
static void visit_common(struct walk *walk, Dwarf_Die *die, unsigned depth)
{
	char outer[SCOPES_TEXT_MAX];
	memcpy(outer, walk->scopes, sizeof outer);
	walk->scopes[0] = 0;
	walk->common = true;
	visit_scope(walk, die, dwarf_diename(die), depth);
	walk->common = false;
	memcpy(walk->scopes, outer, sizeof outer);
}

static void visit(struct walk *walk, Dwarf_Die *die, unsigned depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
		visit_variable(walk, die);
		break;
	case DW_TAG_subprogram:
	case DW_TAG_module:
		visit_scope(walk, die, dwarf_diename(die), depth);
		break;
	case DW_TAG_namespace:
		visit_scope(walk, die, dwarf_diename(die) ? dwarf_diename(die) : "(anonymous namespace)", depth);
		break;
	case DW_TAG_common_block:
		visit_common(walk, die, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		visit_children(walk, die, depth);
		break;
	default:
		break;
	}
}

static void visit_children(struct walk *walk, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die child = {0};
	while (depth < DEPTH_MAX && debug_next_child(parent, &child))
		visit(walk, &child, depth + 1);
}

void debug_variables_visit(struct units *units, struct arena *names, debug_variable_visitor *visitor, void *context)
{
	for (uint32_t i = 0; i < units->count; i++) {
		struct walk walk = {.units = units,
			.unit = &units->array[i],
			.names = names,
			.visitor = visitor,
			.context = context};
		unit_open(walk.unit);
		visit_children(&walk, &walk.unit->inner, 0);
	}
}
