/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of one load object, one for each start. */
#include "variables.h"
#include "demangle.h"
#include "symbol_tables.h"
#include <stdlib.h>
#include <string.h>

static void add(
	void *context, const struct elf_file *file, const GElf_Sym *symbol, const char *name, const char *source)
{
	struct variables *variables = context;
	(void)file, (void)source;
	if (GELF_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size || symbol->st_shndx == SHN_ABS)
		return;
	variables->array = memory_room(variables->array, variables->count, sizeof *variables->array);
	variables->array[variables->count++] =
		(struct variable){symbol->st_value, symbol->st_size, symbol_unversioned(&variables->names, name)};
}

/* Of several names of one place the largest, then the first without an underscore, then the shorter one. */
static int by_start(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if ((*x->name == '_') != (*y->name == '_'))
		return (*x->name == '_') - (*y->name == '_');
	size_t length_x = strlen(x->name), length_y = strlen(y->name);
	return length_x != length_y ? (length_x < length_y ? -1 : 1) : strcmp(x->name, y->name);
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

void variables_read(struct variables *variables, const struct elf_file *file, const struct elf_file *debug)
{
	const struct elf_file *files[] = {file, debug};
	if (variables->read)
		return;
	variables->read = true;
	for (unsigned f = 0; f < 2; f++)
		for (int dynamic = 0; files[f] && dynamic < 2; dynamic++)
			symbol_table_visit(files[f], dynamic, add, variables);
	if (variables->count)
		qsort(variables->array, variables->count, sizeof *variables->array, by_start);
	uint32_t kept = 0;
	struct interval *intervals = memory_get(variables->count, sizeof *intervals);
	for (uint32_t i = 0; i < variables->count; i++) {
		struct variable next = variables->array[i];
		if (kept && variables->array[kept - 1].start == next.start)
			continue;
		next.name = in_source(variables, next.name);
		/* One inside another is the more exact of the two. */
		intervals[kept] = (struct interval){next.start, next.start + next.size, kept, kept};
		variables->array[kept++] = next;
	}
	variables->count = kept;
	interval_map_build(&variables->owner, intervals, kept);
	free(intervals);
}

void variables_free(struct variables *variables)
{
	free(variables->array);
	interval_map_free(&variables->owner);
	arena_free(&variables->names);
	*variables = (struct variables){0};
}

const struct variable *variables_find(const struct variables *variables, uint64_t address)
{
	uint32_t index = interval_map_find(&variables->owner, address);
	return index == NO_INTERVAL ? 0 : &variables->array[index];
}
