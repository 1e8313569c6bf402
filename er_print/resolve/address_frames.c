/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames at an address: the physical function by the symbol tables, the calls inlined into it by the DWARF of the unit
   that owns the address. */
#include "code_object.h"
#include "scope_functions.h"
#include "scopes.h"
#include <dwarf.h>
#include <stdio.h>

/* The function that holds the address, whose outermost scope is `root` (or NO_SCOPE). */
static uint32_t physical_function(
	struct code_object *object, struct functions *functions, struct unit *unit, uint32_t root, uint64_t offset)
{
	struct scope_names names = {.long_name = 0};
	struct function_facts facts;
	uint32_t symbol = symbols_find(&object->symbols, offset);
	if (symbol != NO_INTERVAL && object->function_of[symbol] != NO_ID)
		return object->function_of[symbol];
	if (symbol != NO_INTERVAL) {
		symbol_facts(object, symbol, &facts, &names, functions);
	} else {
		snprintf(names.artificial, sizeof names.artificial, "<static>@0x0 (%s)", object->name);
		facts = (struct function_facts){.object = object->index, .name = names.artificial};
	}
	if (root != NO_SCOPE) {
		struct scope_origin origin;
		scope_origin(&unit->scopes[root].die, &origin);
		if (facts.name == names.artificial)
			name_by_origin(object, &unit->scopes[root].die, &origin, &names, &facts);
		facts_of_origin(object, unit, &unit->scopes[root].die, &origin, &facts);
	}
	uint32_t function = functions_physical(functions, &facts);
	scope_names_free(&names);
	/* Kept only when the debug information has had its say: an address of the symbol that no unit covers would leave the
	   function without its file. */
	if (symbol != NO_INTERVAL && root != NO_SCOPE)
		object->function_of[symbol] = function;
	return function;
}

/* The call that was inlined, as a line of the function `caller` that it was inlined into. */
static uint32_t call_line(
	struct functions *functions, struct units *units, struct unit *unit, struct scope *scope, uint32_t caller)
{
	if (scope->call_line == NO_SCOPE) {
		const char *path;
		scope->call_line = scope_call(unit, scope, &path);
		scope->call_file = scope->call_line ? unit_path(units, unit, path) : 0;
	}
	uint32_t file = scope->call_line ? scope->call_file : functions->array[caller]->file;
	return functions_line(functions, caller, file, scope->call_line);
}

static void remark_incomplete(struct code_object *object, struct unit *unit)
{
	Dwarf_Attribute attribute;
	const char *name = 0;
	if (dwarf_attr(&unit->die, DW_AT_dwo_name, &attribute) ||
		dwarf_attr(&unit->die, DW_AT_GNU_dwo_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (!object->remark[0])
		snprintf(object->remark, sizeof object->remark, "%.400s not found: its inlined functions are not shown",
			name ? name : ".dwo file");
}

unsigned code_object_frames(
	struct code_object *object, struct functions *functions, uint64_t offset, struct frame frames[FRAMES_MAX])
{
	struct unit *unit = units_at(&object->units, offset);
	uint32_t chain[FRAMES_MAX], depth = 0, root = NO_SCOPE, file = 0, line = 0;
	if (unit) {
		if (unit->incomplete)
			remark_incomplete(object, unit);
		line = unit_line(&object->units, unit, offset, &file);
		root = unit_scope(unit, offset);
		for (; root != NO_SCOPE && unit->scopes[root].inlined; root = unit->scopes[root].parent)
			if (depth < FRAMES_MAX - 1)
				chain[depth++] = root;
	}
	uint32_t function = physical_function(object, functions, unit, root, offset);
	/* From the outside inwards: each call's line belongs to the function around it. */
	for (uint32_t i = depth; i-- > 0;) {
		struct scope *scope = &unit->scopes[chain[i]];
		frames[i + 1] = (struct frame){.function = function,
			.line = call_line(functions, &object->units, unit, scope, function),
			.inlined = i + 1 < depth};
		function = code_object_scope_function(object, functions, unit, chain[i]);
	}
	frames[0] = (struct frame){.function = function,
		.line = functions_line(functions, function, line ? file : functions->array[function]->file, line),
		.inlined = depth > 0};
	return depth + 1;
}
