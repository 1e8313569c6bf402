/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of one load object: what symbols and debug information say of the same one is put together. */
#include "variables.h"
#include "debug_types.h"
#include "debug_variables.h"
#include "demangle.h"
#include "member_layout.h"
#include "search.h"
#include "symbol_tables.h"
#include <stdlib.h>
#include <string.h>

struct variable {
	struct data_variable shown;
	bool described;            /* by debug information: */
	bool scoped, common, read; /* `read`: its type's text and members are */
	Dwarf_Die type;
	struct member_layout *layout;
};

static void add_variable(struct variables *variables, const struct variable *variable)
{
	variables->array = memory_room(variables->array, variables->count, sizeof *variables->array);
	variables->array[variables->count++] = *variable;
}

static void add_symbol(
	void *context, const struct elf_file *file, const GElf_Sym *symbol, const char *name, const char *source)
{
	struct variables *variables = context;
	(void)file, (void)source;
	if (GELF_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size || symbol->st_shndx == SHN_ABS)
		return;
	struct data_variable shown = {.start = symbol->st_value,
		.size = symbol->st_size,
		.name = symbol_unversioned(&variables->names, name)};
	add_variable(variables, &(struct variable){.shown = shown});
}

static void add_described(void *context, const struct debug_variable *described)
{
	struct data_variable shown = {.start = described->start,
		.size = described->size,
		.name = described->name,
		.file = described->file,
		.line = described->line};
	add_variable(context, &(struct variable){.shown = shown,
				      .described = true,
				      .scoped = described->scoped,
				      .common = described->common,
				      .type = described->type});
}

/* Symbols first. Of several of one place the largest, then the first without an underscore, then the shorter one. */
static int by_start(const void *a, const void *b)
{
	const struct variable *left = a, *right = b;
	const struct data_variable *x = &left->shown, *y = &right->shown;
	int order = COMPARE(x->start, y->start) ?: COMPARE(left->described, right->described) ?: COMPARE(y->size, x->size);
	return order ?: COMPARE(*x->name == '_', *y->name == '_')
		     ?: COMPARE(strlen(x->name), strlen(y->name)) ?: strcmp(x->name, y->name);
}

static const char *in_source(struct variables *variables, const char *name)
{
	char *plain = demangle_name(name, true);
	if (!plain)
		return name;
	const char *kept = arena_string(&variables->names, plain, strlen(plain));
	free(plain);
	return kept;
}

/* The symbol of what is described, of which it knows more: the size of a last array that has no bounds. "cursor.0" is better
   named by its function; a name that is demangled has its scopes. */
static void describe(struct variable *symbol, const char *demangled, const struct variable *described)
{
	struct variable both = *described;
	both.shown.size = symbol->shown.size > described->shown.size ? symbol->shown.size : described->shown.size;
	if (demangled != symbol->shown.name)
		both.shown.name = demangled;
	else if (!described->scoped)
		both.shown.name = symbol->shown.name;
	*symbol = both;
}

/* Keeps one of those with one start, or a common block and the first variable in it. The number kept at `kept`. */
static uint32_t merge(struct variables *variables, struct variable *kept, const struct variable *first, uint32_t count)
{
	uint32_t symbols = 0;
	while (symbols < count && !first[symbols].described)
		symbols++;
	struct variable one = first[0];
	const struct variable *described = symbols < count ? &first[symbols] : 0;
	bool part = symbols && described && described->common && described->shown.size < one.shown.size;
	struct variable inner = part ? *described : (struct variable){0};
	const char *demangled = symbols ? in_source(variables, one.shown.name) : 0;
	if (symbols && described && !part)
		describe(&one, demangled, described);
	else if (symbols)
		one.shown.name = demangled;
	kept[0] = one;
	if (part)
		kept[1] = inner;
	return part ? 2 : 1;
}

void variables_read(
	struct variables *variables, const struct elf_file *file, const struct elf_file *debug, struct units *units)
{
	const struct elf_file *files[] = {file, debug};
	if (variables->read)
		return;
	variables->read = true;
	for (unsigned f = 0; f < 2; f++)
		for (int dynamic = 0; files[f] && dynamic < 2; dynamic++)
			symbol_table_visit(files[f], dynamic, add_symbol, variables);
	debug_variables_visit(units, &variables->names, add_described, variables);
	if (variables->count)
		qsort(variables->array, variables->count, sizeof *variables->array, by_start);
	uint32_t kept = 0;
	struct interval *intervals = memory_new(variables->count, sizeof *intervals);
	for (uint32_t i = 0, next; i < variables->count; i = next) {
		const struct variable *first = &variables->array[i];
		for (next = i + 1; next < variables->count; next++)
			if (variables->array[next].shown.start != first->shown.start)
				break;
		kept += merge(variables, &variables->array[kept], first, next - i);
	}
	variables->count = kept;
	/* One inside another is the more exact of the two. */
	for (uint32_t i = 0; i < kept; i++) {
		const struct data_variable *shown = &variables->array[i].shown;
		intervals[i] = (struct interval){shown->start, shown->start + shown->size, i, i};
	}
	interval_map_build(&variables->owner, intervals, kept);
	free(intervals);
}

void variables_free(struct variables *variables)
{
	for (uint32_t i = 0; i < variables->count; i++)
		member_layout_free(variables->array[i].layout);
	free(variables->array);
	interval_map_free(&variables->owner);
	arena_free(&variables->names);
	*variables = (struct variables){0};
}

static void read_type(struct variables *variables, struct variable *variable)
{
	char text[TYPE_TEXT_MAX] = "";
	variable->read = true;
	if (variable->described) {
		debug_type_text(&variable->type, text);
		variable->layout = member_layout_read(&variable->type, &variables->names);
	}
	variable->shown.type = arena_string(&variables->names, text, strlen(text));
	variable->shown.layout = variable->layout;
	if (!variable->layout)
		return;
	variable->shown.members = member_layout_members(variable->layout, &variable->shown.member_count);
	variable->shown.element = member_layout_element(variable->layout);
}

const struct data_variable *variables_find(struct variables *variables, uint64_t address)
{
	uint32_t index = interval_map_find(&variables->owner, address);
	if (index == NO_INTERVAL)
		return 0;
	struct variable *variable = &variables->array[index];
	if (!variable->read)
		read_type(variables, variable);
	return &variable->shown;
}
