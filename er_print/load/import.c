/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an experiment of a file of folded stacks: its counts are those of one counter, each name is a function. */
#include "data_tables.h"
#include "folded.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION_SIZE = 16 }; /* of the address space that names get */

static uint64_t address_of(uint32_t name)
{
	return ((uint64_t)name + 1) * FUNCTION_SIZE;
}

/* The address of each name of a file. Functions of one name are one function, whichever file they come from: all files share
   the names, which the first of them keeps. The caller frees the addresses. */
static uint64_t *name_functions(struct data_tables *tables, const struct folded *folded)
{
	struct perf_map *map = &tables->maps[tables->first_import];
	uint64_t *addresses = memory_new(folded->names.count, sizeof *addresses);
	for (uint32_t i = 0; i < folded->names.count; i++) {
		uint32_t name = strings_number(&tables->imported_names, folded->names.text[i]);
		addresses[i] = address_of(name);
		if (name < map->count)
			continue;
		map->functions = memory_room(map->functions, map->count, sizeof *map->functions);
		map->functions[map->count++] = (struct dynamic_function){
			.start = address_of(name), .size = FUNCTION_SIZE, .name = tables->imported_names.text[name]};
	}
	return addresses;
}

/* The stacks of the lines, by line and 1: what the events' stacks stand for. */
static void make_stacks(struct data *data, uint32_t index, const struct folded *folded, const uint64_t *addresses)
{
	struct data_tables *tables = data_tables(data);
	struct loaded_experiment *loaded = &data->experiments[index];
	uint32_t object = data_object(
		data, &(struct load_object){
			      .type = OBJECT_DYNAMIC, .path = "<Imported>", .experiment = tables->first_import});
	uint32_t root = data_stack(data, &(struct stack){0, ROOT_START, STACK_ROOT});
	loaded->stack_of_count = folded->line_count + 1;
	loaded->stack_of = memory_resize(loaded->stack_of, loaded->stack_of_count, sizeof *loaded->stack_of);
	loaded->stack_of[0] = 0;
	size_t frame = 0;
	for (uint32_t line = 0; line < folded->line_count; line++) {
		uint32_t stack = frame < folded->lines[line].frames_end ? root : 0;
		for (; frame < folded->lines[line].frames_end; frame++) {
			uint64_t address = addresses[folded->frames[frame]];
			stack = data_stack(
				data, &(struct stack){stack, data_address(data, object, address), STACK_EXACT});
		}
		loaded->stack_of[line + 1] = stack;
	}
}

static struct experiment *make_experiment(const char *path, const struct folded *folded)
{
	struct event_columns columns = {
		.count = folded->line_count, .stack = memory_new(folded->line_count, sizeof *columns.stack)};
	uint64_t *count = memory_new(folded->line_count, sizeof *count);
	columns.field[FIELD_INDEX(OVERFLOW, interval)] = count;
	for (uint32_t i = 0; i < folded->line_count; i++) {
		columns.stack[i] = i + 1;
		count[i] = folded->lines[i].count;
	}
	struct experiment *file = experiment_of_columns(path, KIND_OVERFLOW, &columns);
	file->overflow_counters = memory_new(1, sizeof *file->overflow_counters);
	file->overflow_counter_count = 1;
	*file->overflow_counters = (struct overflow_counter){.name = "folded",
		.title = "Folded Count",
		.units = folded->has_fractions ? UNITS_MILLIONTHS : UNITS_EVENTS};
	file->damage.log_lines_bad = folded->ignored;
	if (folded->ignored)
		snprintf(file->damage.first, sizeof file->damage.first, "line %" PRIu64 " is no folded stack",
			folded->first_ignored);
	return file;
}

bool data_import(struct data *data, const char *path, struct error *error)
{
	if (data_is_loaded(data, path))
		return true;
	struct folded folded = {.frames = 0};
	bool read = folded_read(&folded, path, error);
	if (read) {
		uint32_t index = data_add_experiment(data, make_experiment(path, &folded), NO_ID);
		data->experiments[index].imported = true;
		if (!data_tables(data)->imported_names.count)
			data_tables(data)->first_import = index;
		uint64_t *addresses = name_functions(data_tables(data), &folded);
		make_stacks(data, index, &folded, addresses);
		free(addresses);
	}
	folded_free(&folded);
	return read;
}
