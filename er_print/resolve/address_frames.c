/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames at an address: the physical function by the symbol tables, the calls inlined into it by the DWARF of the unit
   that owns the address. */
#include "code_object.h"
#include "scopes.h"
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct symbol_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static void make_names(struct code_object *object)
{
	const struct symbols *symbols = &object->symbols;
	if (object->names)
		return;
	object->names = memory_new(symbols->named + symbols->alias_count, sizeof *object->names);
	for (uint32_t i = 0; i < symbols->named; i++)
		object->names[object->name_count++] = (struct symbol_name){symbols->array[i].name, i};
	for (uint32_t i = 0; i < symbols->alias_count; i++)
		object->names[object->name_count++] =
			(struct symbol_name){symbols->aliases[i].name, symbols->aliases[i].symbol};
	qsort(object->names, object->name_count, sizeof *object->names, by_name);
}

/* The symbol of an inlined function's own copy: exported, or local to the same unit. NO_INTERVAL if there is none. */
static uint32_t own_copy(struct code_object *object, const struct unit *unit, const char *name)
{
	make_names(object);
	uint32_t low = 0, high = object->name_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(object->names[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < object->name_count && !strcmp(object->names[low].name, name); low++) {
		const struct symbol *symbol = &object->symbols.array[object->names[low].symbol];
		uint32_t owner = symbol->local ? interval_map_find(&object->units.owner, symbol->start) : NO_INTERVAL;
		if (!symbol->local || (owner != NO_INTERVAL && &object->units.array[owner] == unit))
			return object->names[low].symbol;
	}
	return NO_INTERVAL;
}

static void symbol_facts(const struct code_object *object, uint32_t number, struct function_facts *facts,
	char static_name[400], struct functions *functions)
{
	const struct symbol *symbol = &object->symbols.array[number];
	*facts = (struct function_facts){.object = object->index,
		.name = symbol->name,
		.start = symbol->start,
		.size = symbol->end - symbol->start,
		.file = symbol->file ? strings_number(&functions->paths, symbol->file) : 0};
	if (!symbol->name) {
		snprintf(static_name, 400, "<static>@%#llx (%s)", (unsigned long long)symbol->start, object->name);
		facts->name = static_name;
	}
}

static void add_origin(
	struct function_facts *facts, const struct scope_origin *origin, struct units *units, struct unit *unit)
{
	if (!origin->file)
		return;
	facts->file = unit_path(units, unit, origin->file);
	facts->first_line = origin->line;
}

uint32_t code_object_symbol_function(struct code_object *object, struct functions *functions, uint32_t symbol)
{
	struct function_facts facts;
	char static_name[400];
	symbol_facts(object, symbol, &facts, static_name, functions);
	return functions_physical(functions, &facts);
}

uint32_t code_object_scope_function(
	struct code_object *object, struct functions *functions, struct unit *unit, uint32_t number)
{
	struct scope *scope = &unit->scopes[number];
	struct scope_origin origin;
	struct function_facts facts = {.object = object->index};
	char static_name[400];
	if (scope->function != NO_SCOPE)
		return scope->function;
	scope_origin(&scope->die, &origin);
	Dwarf_Addr entry;
	uint32_t symbol = NO_INTERVAL;
	if (scope->inlined)
		symbol = origin.name ? own_copy(object, unit, origin.name) : NO_INTERVAL;
	else if (!dwarf_entrypc(&scope->die, &entry))
		symbol = symbols_find(&object->symbols, entry);
	bool physical = symbol != NO_INTERVAL;
	if (physical)
		symbol_facts(object, symbol, &facts, static_name, functions);
	if (!facts.name || facts.name == static_name)
		facts.name = origin.name ? origin.name : static_name;
	if (!physical && !origin.name)
		facts.name = "<inlined function without a name>";
	add_origin(&facts, &origin, &object->units, unit);
	scope->function = physical ? functions_physical(functions, &facts) : functions_inlined(functions, &facts);
	return scope->function;
}

/* The function that holds the address, whose outermost scope is `root` (or NO_SCOPE). */
static uint32_t physical_function(
	struct code_object *object, struct functions *functions, struct unit *unit, uint32_t root, uint64_t offset)
{
	struct function_facts facts;
	char static_name[400];
	uint32_t symbol = symbols_find(&object->symbols, offset);
	if (symbol != NO_INTERVAL && object->function_of[symbol] != NO_ID)
		return object->function_of[symbol];
	if (symbol != NO_INTERVAL) {
		symbol_facts(object, symbol, &facts, static_name, functions);
	} else {
		snprintf(static_name, sizeof static_name, "<static>@0x0 (%s)", object->name);
		facts = (struct function_facts){.object = object->index, .name = static_name};
	}
	if (root != NO_SCOPE) {
		struct scope_origin origin;
		scope_origin(&unit->scopes[root].die, &origin);
		if (facts.name == static_name && origin.name)
			facts.name = origin.name;
		add_origin(&facts, &origin, &object->units, unit);
	}
	uint32_t function = functions_physical(functions, &facts);
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
