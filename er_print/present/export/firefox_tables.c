/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers what the tree of call paths has, and writes it column by column, as the profiler's src/types/profile.ts describes it. */
#include "firefox_tables.h"
#include "base_name.h"
#include "json_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void firefox_categories_print(FILE *file)
{
	static const struct {
		const char *name, *color;
	} categories[] = {[CATEGORY_OTHER] = {"Other", "grey"},
		[CATEGORY_USER] = {"User", "yellow"},
		[CATEGORY_KERNEL] = {"Kernel", "orange"},
		[CATEGORY_IO] = {"I/O", "green"},
		[CATEGORY_WAIT] = {"Wait", "red"},
		[CATEGORY_MPI] = {"MPI", "blue"}};
	for (unsigned i = 0; i < sizeof categories / sizeof *categories; i++)
		fprintf(file, "%s{\"name\": \"%s\", \"color\": \"%s\", \"subcategories\": [\"Other\"]}", i ? ", " : "",
			categories[i].name, categories[i].color);
}

/* The number of a thing in a table of the profile; added when new. */
static uint32_t number_in(uint32_t **things, uint32_t *number_of, uint32_t *count, uint32_t thing)
{
	if (number_of[thing] != NO_NUMBER)
		return number_of[thing];
	*things = memory_room(*things, *count, sizeof **things);
	(*things)[*count] = thing;
	return number_of[thing] = (*count)++;
}

static uint32_t *no_numbers(uint32_t count)
{
	uint32_t *numbers = memory_new(count, sizeof *numbers);
	memset(numbers, 0xff, count * sizeof *numbers);
	return numbers;
}

static void add_frame(struct firefox_tables *tables, struct number_map *known, uint32_t node)
{
	const struct resolver *resolver = tables->export->session->resolver;
	const struct frame *frame = &tables->export->by_pc->nodes[node].frame;
	const struct source_line *line = resolver_line(resolver, frame->line);
	const struct function *function = resolver_function(resolver, frame->function);
	uint32_t shown = line->file == function->file ? line->line : 0;
	uint32_t *place = number_map_place(known, number_pair(frame->function, shown));
	if (*place == NO_NUMBER) {
		*place = tables->frame_count;
		tables->frames = memory_room(tables->frames, tables->frame_count, sizeof *tables->frames);
		tables->frames[tables->frame_count++] = (struct firefox_frame){
			number_in(&tables->functions, tables->function_of, &tables->function_count, frame->function),
			shown, frame->kernel};
		if (!function->artificial)
			number_in(&tables->objects, tables->object_of, &tables->object_count, function->object);
		if (function->file)
			number_in(&tables->sources, tables->source_of, &tables->source_count, function->file);
	}
	tables->frame_of[node] = *place;
}

void firefox_tables_make(struct firefox_tables *tables, struct profile_export *export)
{
	const struct path_tree *tree = export->by_pc;
	struct resolver *resolver = export->session->resolver;
	struct number_map known = {.entries = 0};
	*tables = (struct firefox_tables){.export = export,
		.frame_of = memory_new(tree->count, sizeof *tables->frame_of),
		.function_of = no_numbers(resolver_function_count(resolver)),
		.object_of = no_numbers(export->session->data->object_count),
		.source_of = no_numbers(resolver_file_count(resolver))};
	for (uint32_t node = 1; node < tree->count; node++)
		add_frame(tables, &known, node);
	number_map_free(&known);
}

void firefox_tables_free(struct firefox_tables *tables)
{
	strings_free(&tables->strings);
	free(tables->frame_of);
	free(tables->frames);
	free(tables->functions);
	free(tables->function_of);
	free(tables->objects);
	free(tables->object_of);
	free(tables->sources);
	free(tables->source_of);
}

uint32_t firefox_string(struct firefox_tables *tables, const char *text)
{
	return strings_number(&tables->strings, text);
}

void firefox_libraries_print(struct firefox_tables *tables, FILE *file)
{
	const struct data *data = tables->export->session->data;
	for (uint32_t i = 0; i < tables->object_count; i++) {
		const struct load_object *object = &data->objects[tables->objects[i]];
		fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", file);
		print_json_text(file, base_name(object->path));
		fputs(", \"path\": ", file);
		print_json_text(file, object->path);
		fputs(", \"debugName\": ", file);
		print_json_text(file, base_name(object->path));
		fputs(", \"debugPath\": ", file);
		print_json_text(file, object->path);
		fputs(", \"arch\": ", file);
		print_json_text(file, data->experiments[0].file->system->architecture);
		fputs(", \"breakpadId\": \"\", \"codeId\": ", file);
		if (*object->build_id)
			print_json_text(file, object->build_id);
		else
			fputs("null", file);
		putc('}', file);
	}
}

/* A value of a column for row `i`. */
typedef void print_value(struct firefox_tables *tables, FILE *file, uint32_t i);

static void print_column(
	struct firefox_tables *tables, FILE *file, const char *name, uint32_t count, print_value *print)
{
	fprintf(file, ",\n  \"%s\": [", name);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			putc(',', file);
		print(tables, file, i);
	}
	putc(']', file);
}

/* A column whose values are all the same. */
static void print_constant(FILE *file, const char *name, uint32_t count, const char *value)
{
	fprintf(file, ",\n  \"%s\": [", name);
	for (uint32_t i = 0; i < count; i++)
		fprintf(file, "%s%s", i ? "," : "", value);
	putc(']', file);
}

static void print_number_or(FILE *file, uint32_t number, uint32_t none, const char *word)
{
	if (number == none)
		fputs(word, file);
	else
		fprintf(file, "%" PRIu32, number);
}

static void stack_frame(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	fprintf(file, "%" PRIu32, tables->frame_of[i + 1]);
}

static void stack_prefix(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	print_number_or(file, tables->export->by_pc->nodes[i + 1].parent - 1, UINT32_MAX, "null");
}

static void frame_function(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	fprintf(file, "%" PRIu32, tables->frames[i].function);
}

static void frame_line(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	print_number_or(file, tables->frames[i].line, 0, "null");
}

static void frame_category(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const struct resolver *resolver = tables->export->session->resolver;
	bool artificial = resolver_function(resolver, tables->functions[tables->frames[i].function])->artificial;
	fprintf(file, "%d", tables->frames[i].kernel ? CATEGORY_KERNEL : artificial ? CATEGORY_OTHER : CATEGORY_USER);
}

static const struct function *function_at(const struct firefox_tables *tables, uint32_t i)
{
	return resolver_function(tables->export->session->resolver, tables->functions[i]);
}

static void function_name(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const char *name = profile_export_name(tables->export, tables->functions[i]);
	fprintf(file, "%" PRIu32, firefox_string(tables, name));
}

static void function_resource(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const struct function *function = function_at(tables, i);
	print_number_or(file, function->artificial ? NO_NUMBER : tables->object_of[function->object], NO_NUMBER, "-1");
}

static void function_source(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const struct function *function = function_at(tables, i);
	print_number_or(file, function->file ? tables->source_of[function->file] : NO_NUMBER, NO_NUMBER, "null");
}

static void function_line(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	print_number_or(file, function_at(tables, i)->first_line, 0, "null");
}

static void own_number(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	(void)tables;
	fprintf(file, "%" PRIu32, i);
}

static void object_name(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const char *path = tables->export->session->data->objects[tables->objects[i]].path;
	fprintf(file, "%" PRIu32, firefox_string(tables, base_name(path)));
}

static void source_name(struct firefox_tables *tables, FILE *file, uint32_t i)
{
	const char *path = resolver_file(tables->export->session->resolver, tables->sources[i]);
	fprintf(file, "%" PRIu32, firefox_string(tables, path));
}

static void print_stacks_and_frames(struct firefox_tables *tables, FILE *file)
{
	uint32_t stacks = tables->export->by_pc->count - 1, frames = tables->frame_count;
	fprintf(file, "\"stackTable\": {\"length\": %" PRIu32, stacks);
	print_column(tables, file, "frame", stacks, stack_frame);
	print_column(tables, file, "prefix", stacks, stack_prefix);
	fprintf(file, "},\n\"frameTable\": {\"length\": %" PRIu32, frames);
	print_constant(file, "address", frames, "-1");
	print_constant(file, "inlineDepth", frames, "0");
	print_column(tables, file, "category", frames, frame_category);
	print_constant(file, "subcategory", frames, "0");
	print_column(tables, file, "func", frames, frame_function);
	print_constant(file, "nativeSymbol", frames, "null");
	print_constant(file, "innerWindowID", frames, "0");
	print_column(tables, file, "line", frames, frame_line);
	print_constant(file, "column", frames, "null");
}

static void print_functions(struct firefox_tables *tables, FILE *file)
{
	uint32_t count = tables->function_count;
	fprintf(file, "},\n\"funcTable\": {\"length\": %" PRIu32, count);
	print_column(tables, file, "name", count, function_name);
	print_constant(file, "isJS", count, "false");
	print_constant(file, "relevantForJS", count, "false");
	print_column(tables, file, "resource", count, function_resource);
	print_column(tables, file, "source", count, function_source);
	print_column(tables, file, "lineNumber", count, function_line);
	print_constant(file, "columnNumber", count, "null");
}

static void print_objects_and_sources(struct firefox_tables *tables, FILE *file)
{
	enum { LIBRARY = 1 };
	fprintf(file, "},\n\"resourceTable\": {\"length\": %" PRIu32, tables->object_count);
	print_column(tables, file, "lib", tables->object_count, own_number);
	print_column(tables, file, "name", tables->object_count, object_name);
	print_constant(file, "host", tables->object_count, "null");
	print_constant(file, "type", tables->object_count, "1");
	fputs("},\n\"nativeSymbols\": {\"length\": 0, \"libIndex\": [], \"address\": [], \"name\": [], "
	      "\"functionSize\": []",
		file);
	fprintf(file, "},\n\"sources\": {\"length\": %" PRIu32, tables->source_count);
	print_constant(file, "id", tables->source_count, "null");
	print_column(tables, file, "filename", tables->source_count, source_name);
	print_constant(file, "startLine", tables->source_count, "1");
	print_constant(file, "startColumn", tables->source_count, "1");
	print_constant(file, "sourceMapURL", tables->source_count, "null");
}

void firefox_shared_print(struct firefox_tables *tables, FILE *file)
{
	print_stacks_and_frames(tables, file);
	print_functions(tables, file);
	print_objects_and_sources(tables, file);
	fputs("},\n\"stringArray\": [", file);
	for (uint32_t i = 0; i < tables->strings.count; i++) {
		fputs(i ? ",\n  " : "\n  ", file);
		print_json_text(file, tables->strings.text[i]);
	}
	putc(']', file);
}
