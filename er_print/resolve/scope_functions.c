/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of symbols and of the scopes of units. A function is its entry in the debug information: all calls of it that were
   inlined are one, with its own copy if there is one. */
#include "scope_functions.h"
#include "entry_names.h"
#include "search.h"
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct symbol_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ?: COMPARE(x->symbol, y->symbol);
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

/* The first place of `names` that is not before the name. */
static uint32_t first_named(struct code_object *object, const char *name)
{
	/* Most objects are never asked for a symbol by its name: the list is sorted when the first one is. */
	make_names(object);
	return FIRST_WHERE(i, object->name_count, strcmp(object->names[i].name, name) >= 0);
}

/* The symbol of an inlined function's own copy: exported, or local to the same unit. NO_INTERVAL if there is none. */
static uint32_t copy_by_name(struct code_object *object, const struct unit *unit, const char *name)
{
	for (uint32_t low = first_named(object, name);
		low < object->name_count && !strcmp(object->names[low].name, name); low++) {
		const struct symbol *symbol = &object->symbols.array[object->names[low].symbol];
		uint32_t owner = symbol->local ? interval_map_find(&object->units.owner, symbol->start) : NO_INTERVAL;
		if (!symbol->local || (owner != NO_INTERVAL && &object->units.array[owner] == unit))
			return object->names[low].symbol;
	}
	return NO_INTERVAL;
}

static int by_entry(const void *a, const void *b)
{
	const struct own_copy *x = a, *y = b;
	return COMPARE((uintptr_t)x->entry, (uintptr_t)y->entry) ?: COMPARE(x->scope, y->scope);
}

static void know_own_copies(struct unit *unit)
{
	if (unit->own_copies_known)
		return;
	unit->own_copies_known = true;
	for (uint32_t s = 0; s < unit->scope_count; s++) {
		if (unit->scopes[s].inlined)
			continue;
		unit->own_copies = memory_room(unit->own_copies, unit->own_copy_count, sizeof *unit->own_copies);
		unit->own_copies[unit->own_copy_count++] = (struct own_copy){scope_entry(&unit->scopes[s].die), s};
	}
	if (unit->own_copy_count)
		qsort(unit->own_copies, unit->own_copy_count, sizeof *unit->own_copies, by_entry);
}

/* A copy that is not all of the function, or is for certain arguments only. */
static bool is_clone(const char *symbol)
{
	static const char *const suffixes[] = {".isra", ".part", ".constprop", ".cold"};
	for (unsigned i = 0; symbol && i < sizeof suffixes / sizeof *suffixes; i++)
		if (strstr(symbol, suffixes[i]))
			return true;
	return false;
}

/* The symbol of a scope with code of its own: of its parts, one that is not a clone. NO_INTERVAL if none has a symbol. */
static uint32_t symbol_of_code(struct code_object *object, Dwarf_Die *die)
{
	Dwarf_Addr base, begin, end, entry;
	if (!dwarf_entrypc(die, &entry))
		return symbols_find(&object->symbols, entry);
	uint32_t found = NO_INTERVAL;
	for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &begin, &end)) > 0;) {
		uint32_t symbol = symbols_find(&object->symbols, begin);
		if (symbol == NO_INTERVAL)
			continue;
		if (!is_clone(object->symbols.array[symbol].name))
			return symbol;
		found = found == NO_INTERVAL ? symbol : found;
	}
	return found;
}

/* The copy of an entry of the unit. */
static uint32_t copy_by_entry(struct code_object *object, struct unit *unit, const void *entry)
{
	know_own_copies(unit);
	uint32_t low = FIRST_WHERE(i, unit->own_copy_count, (uintptr_t)unit->own_copies[i].entry >= (uintptr_t)entry);
	for (; low < unit->own_copy_count && unit->own_copies[low].entry == entry; low++) {
		uint32_t symbol = symbol_of_code(object, &unit->scopes[unit->own_copies[low].scope].die);
		if (symbol != NO_INTERVAL && !is_clone(object->symbols.array[symbol].name))
			return symbol;
	}
	return NO_INTERVAL;
}

void scope_names_free(struct scope_names *names)
{
	free(names->long_name);
	free(names->short_name);
}

void symbol_facts(const struct code_object *object, uint32_t number, struct function_facts *facts,
	struct scope_names *names, struct functions *functions)
{
	const struct symbol *symbol = &object->symbols.array[number];
	*facts = (struct function_facts){.object = object->index,
		.name = symbol->name,
		.start = symbol->start,
		.size = symbol->end - symbol->start,
		.file = symbol->file ? strings_number(&functions->paths, symbol->file) : 0};
	if (!symbol->name) {
		snprintf(names->artificial, sizeof names->artificial, "<static>@%#llx (%s)",
			(unsigned long long)symbol->start, object->name);
		facts->name = names->artificial;
	}
}

void name_by_origin(struct code_object *object, Dwarf_Die *die, const struct scope_origin *origin,
	struct scope_names *names, struct function_facts *facts)
{
	if (origin->linkage) {
		facts->name = origin->name;
		return;
	}
	names->long_name = entry_name(&object->parents, die, true);
	names->short_name = names->long_name ? entry_name(&object->parents, die, false) : 0;
	if (names->long_name) {
		facts->name = names->long_name;
		facts->short_name = names->short_name;
	}
}

void facts_of_origin(struct code_object *object, struct unit *unit, Dwarf_Die *die, const struct scope_origin *origin,
	struct function_facts *facts)
{
	struct scope_origin class = {.file = 0};
	Dwarf_Die entry;
	if (!origin->file && entry_class(&object->parents, die, &entry))
		scope_origin(&entry, &class);
	const struct scope_origin *declared = origin->file ? origin : &class;
	/* Those that a compiler made, of parallel regions for example, are declared nowhere. */
	if (!declared->file && facts->size)
		facts->first_line = unit_line(&object->units, unit, facts->start, &facts->file);
	if (!declared->file)
		return;
	facts->file = unit_path(&object->units, unit, declared->file);
	facts->first_line = declared->line;
}

uint32_t code_object_symbol_function(struct code_object *object, struct functions *functions, uint32_t symbol)
{
	struct frame frames[FRAMES_MAX];
	uint64_t start = object->symbols.array[symbol].start;
	uint32_t function = frames[code_object_frames(object, functions, start, frames) - 1].function;
	if (functions->array[function]->start == start)
		return function;
	struct function_facts facts;
	struct scope_names names = {.long_name = 0};
	symbol_facts(object, symbol, &facts, &names, functions);
	return functions_physical(functions, &facts);
}

bool code_object_has_twin(struct code_object *object, struct functions *functions, uint32_t function)
{
	const struct function *wanted = functions->array[function];
	for (uint32_t i = first_named(object, wanted->mangled);
		i < object->name_count && !strcmp(object->names[i].name, wanted->mangled); i++) {
		uint32_t symbol = object->names[i].symbol;
		if (object->symbols.array[symbol].start == wanted->start)
			continue;
		uint32_t other = code_object_symbol_function(object, functions, symbol); /* may move the array */
		if (functions->array[other]->file == wanted->file)
			return true;
	}
	return false;
}

static bool same_entry(const void *context, uint32_t id, const void *key)
{
	return ((const struct code_object *)context)->entry_functions[id].entry == key;
}

/* The function of which an inlined scope is an instance. NO_ID: it was not met yet. */
static uint32_t known_function(const struct code_object *object, const void *entry)
{
	uint32_t id = id_table_find(&object->by_entry, hash_number((uintptr_t)entry), same_entry, object, entry);
	return id == NO_ID ? NO_ID : object->entry_functions[id].function;
}

static void know_function(struct code_object *object, const void *entry, uint32_t function)
{
	uint32_t id = object->entry_function_count++;
	object->entry_functions = memory_room(object->entry_functions, id, sizeof *object->entry_functions);
	object->entry_functions[id] = (struct entry_function){entry, function};
	id_table_add(&object->by_entry, hash_number((uintptr_t)entry), id);
}

static uint32_t symbol_of(
	struct code_object *object, struct unit *unit, struct scope *scope, const struct scope_origin *origin)
{
	if (!scope->inlined)
		return symbol_of_code(object, &scope->die);
	uint32_t symbol = NO_INTERVAL;
	if (!origin->linkage)
		symbol = copy_by_entry(object, unit, origin->entry);
	if (symbol == NO_INTERVAL && origin->name)
		symbol = copy_by_name(object, unit, origin->name);
	return symbol;
}

static uint32_t make_function(struct code_object *object, struct functions *functions, struct unit *unit,
	struct scope *scope, const struct scope_origin *origin)
{
	struct function_facts facts = {.object = object->index};
	struct scope_names names = {.long_name = 0};
	uint32_t symbol = symbol_of(object, unit, scope, origin);
	bool physical = symbol != NO_INTERVAL;
	if (physical)
		symbol_facts(object, symbol, &facts, &names, functions);
	if (!facts.name || facts.name == names.artificial)
		name_by_origin(object, &scope->die, origin, &names, &facts);
	if (!facts.name)
		facts.name = "<inlined function without a name>";
	facts_of_origin(object, unit, &scope->die, origin, &facts);
	uint32_t function = physical ? functions_physical(functions, &facts) : functions_inlined(functions, &facts);
	scope_names_free(&names);
	return function;
}

uint32_t code_object_scope_function(
	struct code_object *object, struct functions *functions, struct unit *unit, uint32_t number)
{
	struct scope *scope = &unit->scopes[number];
	struct scope_origin origin;
	if (scope->function != NO_SCOPE)
		return scope->function;
	scope_origin(&scope->die, &origin);
	/* Functions of C, and static ones, have no linkage name: their entry in the debug information is what tells two of one
	   name apart. */
	bool by_its_entry = scope->inlined && !origin.linkage;
	scope->function = by_its_entry ? known_function(object, origin.entry) : NO_ID;
	if (scope->function == NO_ID) {
		scope->function = make_function(object, functions, unit, scope, &origin);
		if (by_its_entry)
			know_function(object, origin.entry, scope->function);
	}
	return scope->function;
}
