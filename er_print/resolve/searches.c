/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From names and source files to functions and lines: searches that commands ask for. */
#include "demangle.h"
#include "resolver_state.h"
#include "scopes.h"
#include "search.h"
#include "search_path.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct number_list {
	uint32_t *array;
	uint32_t count;
};

static void add_number(struct number_list *list, uint32_t number)
{
	list->array = memory_room(list->array, list->count, sizeof *list->array);
	list->array[list->count++] = number;
}

bool function_has_name(const struct function *function, const char *name)
{
	return !strcmp(function->mangled, name) || !strcmp(function->long_name, name) ||
	       !strcmp(function->short_name, name) ||
	       (function->outlined_of &&
		       (!strcmp(function->outlined_long, name) || !strcmp(function->outlined_short, name)));
}

/* The identifier that every mangled form of a name holds as it is: the last one before arguments and template arguments.
   "" if there is none to rely on (operators). */
static void search_key(const char *name, char *key, size_t size)
{
	size_t end = 0, begin;
	key[0] = 0;
	if (strstr(name, "operator"))
		return;
	for (int depth = 0; name[end] && !(name[end] == '(' && end && !depth); end++)
		depth += (name[end] == '<') - (name[end] == '>' && end && name[end - 1] != '-');
	while (end && name[end - 1] == '>') {
		int depth = 0;
		do {
			end--;
			depth += (name[end] == '>') - (name[end] == '<');
		} while (end && depth > 0);
	}
	for (begin = end; begin && (name[begin - 1] == '_' || (unsigned char)((name[begin - 1] | 32) - 'a') < 26 ||
					   (unsigned char)(name[begin - 1] - '0') < 10);)
		begin--;
	if (end - begin < size) {
		memcpy(key, name + begin, end - begin);
		key[end - begin] = 0;
	}
}

/* Among all symbols of all objects: what no event has hit can be asked for too. */
static void search_symbols(struct resolver *resolver, const char *name, struct number_list *found)
{
	char key[256];
	search_key(name, key, sizeof key);
	for (uint32_t o = 0; o < resolver->data->object_count; o++) {
		struct code_object *object = resolver_opened(resolver, o);
		for (uint32_t i = 0; object && i < object->symbols.named; i++) {
			const char *symbol = object->symbols.array[i].name;
			bool mangled = symbol && symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
			if (!symbol || (mangled ? !strstr(symbol, key) : strcmp(symbol, name) != 0))
				continue;
			char *long_name = mangled ? demangle_name(symbol, true) : 0;
			char *short_name = mangled ? demangle_name(symbol, false) : 0;
			if (!strcmp(symbol, name) || (long_name && !strcmp(long_name, name)) ||
				(short_name && !strcmp(short_name, name)))
				add_number(found, code_object_symbol_function(object, &resolver->functions, i));
			free(long_name);
			free(short_name);
		}
	}
}

/* By object, then start address; those without code of their own first. */
static const struct functions *sorted_functions;
static int by_place(const void *a, const void *b)
{
	const struct function *x = sorted_functions->array[*(const uint32_t *)a];
	const struct function *y = sorted_functions->array[*(const uint32_t *)b];
	return COMPARE(x->object, y->object) ?: COMPARE(x->start, y->start);
}

uint32_t *resolver_functions_named(struct resolver *resolver, const char *name, uint32_t *count)
{
	struct number_list found = {0};
	for (uint32_t i = 0; i < resolver->functions.count; i++)
		if (function_has_name(resolver->functions.array[i], name))
			add_number(&found, i);
	if (!found.count)
		search_symbols(resolver, name, &found);
	for (uint32_t i = 0; i < found.count; i++)
		found.array[i] = builds_function(resolver, found.array[i]);
	sorted_functions = &resolver->functions;
	if (found.count)
		qsort(found.array, found.count, sizeof *found.array, by_place);
	*count = 0;
	for (uint32_t i = 0; i < found.count; i++)
		if (!i || found.array[i] != found.array[i - 1])
			found.array[(*count)++] = found.array[i];
	return found.array;
}

/* Whether a unit may hold code of a file: its line table names it. */
static bool unit_names_file(struct units *units, struct unit *unit, uint32_t file)
{
	for (size_t i = 0; i < unit->file_count; i++)
		if (unit_file(units, unit, i) == file)
			return true;
	return false;
}

/* Parses the unit whose own source is the file, in the objects that have been read; others stay unparsed. */
static bool is_of_file(struct resolver *resolver, struct units *units, struct unit *unit, uint32_t file)
{
	if (!unit->parsed) {
		const char *name = dwarf_diename(&unit->die);
		const char *path = resolver->functions.paths.text[file];
		const char *base = name ? strrchr(name, '/') : 0, *wanted = strrchr(path, '/');
		if (!name || strcmp(base ? base + 1 : name, wanted ? wanted + 1 : path) != 0)
			return false;
		unit_parse(unit);
	}
	return unit_names_file(units, unit, file);
}

typedef void unit_visitor(
	void *context, struct resolver *resolver, struct code_object *object, struct unit *unit, uint32_t file);

static void visit_units_of(struct resolver *resolver, uint32_t file, unit_visitor *visitor, void *context)
{
	for (uint32_t o = 0; o < resolver->object_count; o++) {
		struct code_object *object = resolver->objects[o];
		for (uint32_t u = 0; object->opened && u < object->units.count; u++) {
			struct unit *unit = &object->units.array[u];
			if (is_of_file(resolver, &object->units, unit, file))
				visitor(context, resolver, object, unit, file);
		}
	}
}

/* The functions with code of a unit, so that they are known. */
static void know_functions(
	void *context, struct resolver *resolver, struct code_object *object, struct unit *unit, uint32_t file)
{
	(void)context, (void)file;
	for (uint32_t s = 0; s < unit->scope_count; s++)
		code_object_scope_function(object, &resolver->functions, unit, s);
}

static int by_first_line(const void *a, const void *b)
{
	const struct function *x = sorted_functions->array[*(const uint32_t *)a];
	const struct function *y = sorted_functions->array[*(const uint32_t *)b];
	return COMPARE(x->first_line, y->first_line) ?: by_place(a, b);
}

uint32_t *resolver_functions_of_file(struct resolver *resolver, uint32_t file, uint32_t *count)
{
	struct number_list found = {0};
	if (file)
		visit_units_of(resolver, file, know_functions, 0);
	for (uint32_t i = FUNCTION_FIRST_REAL; file && i < resolver->functions.count; i++)
		if (resolver->functions.array[i]->file == file)
			add_number(&found, i);
	sorted_functions = &resolver->functions;
	if (found.count)
		qsort(found.array, found.count, sizeof *found.array, by_first_line);
	*count = found.count;
	return found.array;
}

static void add_code_lines(
	void *context, struct resolver *resolver, struct code_object *object, struct unit *unit, uint32_t file)
{
	(void)resolver;
	struct number_list *found = context;
	for (size_t i = 0; i < unit->row_count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(unit->rows, i);
		Dwarf_Files *files;
		size_t index;
		int line;
		bool end;
		if (!dwarf_lineendsequence(row, &end) && !end && !dwarf_lineno(row, &line) && line > 0 &&
			!dwarf_line_file(row, &files, &index) && unit_file(&object->units, unit, index) == file)
			add_number(found, (uint32_t)line);
	}
}

static int ascending(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return COMPARE(*x, *y);
}

uint32_t *resolver_code_lines(struct resolver *resolver, uint32_t file, uint32_t *count)
{
	struct number_list found = {0};
	if (file)
		visit_units_of(resolver, file, add_code_lines, &found);
	if (found.count)
		qsort(found.array, found.count, sizeof *found.array, ascending);
	*count = 0;
	for (uint32_t i = 0; i < found.count; i++)
		if (!i || found.array[i] != found.array[i - 1])
			found.array[(*count)++] = found.array[i];
	return found.array;
}

struct found_source {
	struct resolver *resolver;
	const char *path;
};

static bool take_source(void *context, const char *path)
{
	struct found_source *found = context;
	if (!access(path, R_OK))
		found->path = strings_keep(&found->resolver->functions.names, path);
	return found->path != 0;
}

static bool of_machine(struct resolver *resolver, const struct function *function)
{
	struct code_object *object = function->artificial ? 0 : resolver_opened(resolver, function->object);
	return object && code_object_is_of_machine(object, resolver->data);
}

/* An experiment from somebody else may hold a load object that was made to name any file. */
static bool named_by_machine(struct resolver *resolver, uint32_t file)
{
	const struct functions *functions = &resolver->functions;
	for (uint32_t i = FUNCTION_FIRST_REAL; i < functions->count; i++)
		if (functions->array[i]->file == file && of_machine(resolver, functions->array[i]))
			return true;
	for (uint32_t i = 1; i < functions->line_count; i++)
		if (functions->lines[i].file == file &&
			of_machine(resolver, functions->array[functions->lines[i].function]))
			return true;
	return false;
}

const char *resolver_file_found(struct resolver *resolver, uint32_t file)
{
	const char *path = file < resolver->functions.paths.count ? resolver->functions.paths.text[file] : "";
	char *archived = *path == '/' ? data_archived_source(resolver->data, path) : 0;
	if (archived) {
		const char *kept = strings_keep(&resolver->functions.names, archived);
		free(archived);
		return kept;
	}
	struct found_source found = {resolver, 0};
	if (*path == '/')
		search_path_find(resolver->search_path, resolver->data, path, named_by_machine(resolver, file),
			take_source, &found);
	return found.path;
}

bool resolver_file_is_newer(struct resolver *resolver, uint32_t file, uint32_t object)
{
	struct stat status;
	const char *found = resolver_file_found(resolver, file);
	int64_t built = object < resolver->data->object_count ? resolver->data->objects[object].modified : 0;
	char *archived = found ? data_archived_source(resolver->data, resolver->functions.paths.text[file]) : 0;
	free(archived);
	return found && !archived && built && !stat(found, &status) && status.st_mtime > built;
}
