/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions, source lines and files that have been met. */
#include "functions.h"
#include "demangle.h"
#include <stdlib.h>
#include <string.h>

static const char *demangled(struct functions *functions, const char *mangled, bool with_arguments)
{
	char *name = demangle_name(mangled, with_arguments);
	if (!name)
		return mangled;
	const char *kept = strings_keep(&functions->names, name);
	free(name);
	return kept;
}

/* A name is one line: nothing in it may look like another. */
static const char *on_one_line(struct functions *functions, const char *name)
{
	const char *at = name;
	while ((unsigned char)*at >= ' ' && *at != 0x7f)
		at++;
	if (!*at)
		return name;
	char *copy = strdup(name);
	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	const char *kept = copy ? strings_keep(&functions->names, copy) : name;
	free(copy);
	return kept;
}

static uint32_t add(struct functions *functions, const struct function_facts *facts, bool artificial)
{
	struct function *function = arena_new(&functions->arena, sizeof *function);
	const char *mangled = strings_keep(&functions->names, facts->name);
	const char *given = facts->short_name ? facts->short_name : facts->demangled_short;
	*function = (struct function){
		.mangled = mangled,
		.long_name = on_one_line(functions, facts->long_name ? strings_keep(&functions->names, facts->long_name)
								     : demangled(functions, mangled, true)),
		.short_name = on_one_line(functions,
			given ? strings_keep(&functions->names, given) : demangled(functions, mangled, false)),
		.written = facts->short_name != 0,
		.object = facts->object,
		.file = facts->file,
		.start = facts->start,
		.size = facts->size,
		.first_line = facts->first_line,
		.artificial = artificial,
	};
	functions->array = memory_room(functions->array, functions->count, sizeof *functions->array);
	functions->array[functions->count] = function;
	return functions->count++;
}

void functions_create(struct functions *functions, uint32_t total, uint32_t unknown)
{
	static const char *const names[FUNCTION_FIRST_REAL] = {
		[FUNCTION_TOTAL] = "<Total>",
		[FUNCTION_UNKNOWN] = "<Unknown>",
		[FUNCTION_TRUNCATED] = "<Truncated-stack>",
		[FUNCTION_UNWIND_FAILED] = "<Stack-unwind-failed>",
		[FUNCTION_NO_STACK] = "<no stack>",
		[FUNCTION_UNRELATED] = "collector_not_program_related",
		[FUNCTION_COLLECTOR] = "<collector>",
		[FUNCTION_START] = "<process start>",
		[FUNCTION_WOKEN] = "--",
#define STATE_FUNCTION(value, name, ...) [FUNCTION_STATES + STATE_VALUE(OFFCPU, state, value)] = name,
#include "state_functions.def"
#define OMP_FUNCTION(state, name, ...) [FUNCTION_OMP + state] = name,
#include "omp_functions.def"
	};
	strings_number(&functions->paths, "");
	for (int i = 0; i < FUNCTION_FIRST_REAL; i++)
		add(functions,
			&(struct function_facts){.object = i == FUNCTION_UNKNOWN ? unknown : total, .name = names[i]},
			true);
	for (uint32_t i = 0; i < FUNCTION_FIRST_REAL; i++)
		functions_line(functions, i, 0, NO_LINE);
}

void functions_free(struct functions *functions)
{
	free(functions->array);
	free(functions->lines);
	id_table_free(&functions->by_start);
	id_table_free(&functions->by_name);
	id_table_free(&functions->line_table);
	strings_free(&functions->names);
	strings_free(&functions->paths);
	arena_free(&functions->arena);
}

static bool same_start(const void *context, uint32_t id, const void *key)
{
	const struct function *function = ((const struct functions *)context)->array[id];
	const struct function_facts *facts = key;
	return function->object == facts->object && function->start == facts->start;
}

uint32_t functions_physical(struct functions *functions, const struct function_facts *facts)
{
	uint64_t hash = hash_pair(facts->object, facts->start);
	uint32_t id = id_table_find(&functions->by_start, hash, same_start, functions, facts);
	if (id == NO_ID) {
		id = add(functions, facts, false);
		id_table_add(&functions->by_start, hash, id);
	}
	struct function *function = functions->array[id];
	/* A function may have been met by an address without a line first. */
	if (facts->file && !function->first_line) {
		function->file = facts->file;
		function->first_line = facts->first_line;
	}
	return id;
}

/* A name that we wrote ourselves may be that of several functions (lambdas of one file); their lines tell them apart. */
static bool same_name(const void *context, uint32_t id, const void *key)
{
	const struct function *function = ((const struct functions *)context)->array[id];
	const struct function_facts *facts = key;
	return function->object == facts->object && function->file == facts->file &&
	       !strcmp(function->mangled, facts->name) &&
	       (!facts->short_name || function->first_line == facts->first_line);
}

uint32_t functions_inlined(struct functions *functions, const struct function_facts *facts)
{
	uint64_t hash = hash_pair(hash_text(facts->name), (uint64_t)facts->object << 32 | facts->file);
	uint32_t id = id_table_find(&functions->by_name, hash, same_name, functions, facts);
	if (id == NO_ID) {
		id = add(functions, facts, false);
		id_table_add(&functions->by_name, hash, id);
	}
	return id;
}

static bool same_line(const void *context, uint32_t id, const void *key)
{
	const struct source_line *a = &((const struct functions *)context)->lines[id], *b = key;
	return a->function == b->function && a->file == b->file && a->line == b->line;
}

uint32_t functions_line(struct functions *functions, uint32_t function, uint32_t file, uint32_t line)
{
	struct source_line key = {function, file, line};
	uint64_t hash = hash_pair(hash_pair(function, file), line);
	uint32_t id = id_table_find(&functions->line_table, hash, same_line, functions, &key);
	if (id != NO_ID)
		return id;
	functions->lines = memory_room(functions->lines, functions->line_count, sizeof *functions->lines);
	functions->lines[functions->line_count] = key;
	id_table_add(&functions->line_table, hash, functions->line_count);
	return functions->line_count++;
}
