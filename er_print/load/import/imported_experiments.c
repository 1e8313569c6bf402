/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives functions addresses: all imported files share one address space, where a function of the same name, load object and
   source is the same one, and each has IMPORTED_OFFSETS bytes of it. */
#include "imported_experiments.h"
#include "data_tables.h"
#include "search.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct data *data;
	const struct imported_profile *profile;
	const char *path;
	uint32_t *function_of, *object_of; /* by function: among those of all imports; its load object */
	uint32_t *stack_of;                /* by stack of the profile: the data's */
	bool *is_used;                     /* whether an event has the stack */
};

static const char *text_of(const struct making *making, uint32_t text)
{
	return making->profile->texts.text[text];
}

static uint64_t start_of(uint32_t function)
{
	return ((uint64_t)function + 1) * IMPORTED_OFFSETS;
}

/* 0: it has none. */
static const struct code_blocks *blocks_of(const struct making *making, uint32_t function)
{
	const struct imported_profile *profile = making->profile;
	return function < profile->code_count && profile->code[function].count ? &profile->code[function] : 0;
}

/* The number of a function among those of all imports. Functions with other blocks are others. */
static uint32_t function_number(struct making *making, uint32_t index)
{
	const struct imported_function *function = &making->profile->functions[index];
	const struct code_blocks *blocks = blocks_of(making, index);
	struct strings *names = &data_tables(making->data)->imported_names;
	const char *name = text_of(making, function->name), *object = text_of(making, function->object);
	const char *source = text_of(making, function->source);
	size_t size = strlen(name) + strlen(object) + strlen(source) + 3 + sizeof "\n0123456789abcdef";
	char *key = memory_new(size, 1);
	int length = snprintf(key, size, "%s\n%s\n%s", name, object, source);
	if (blocks)
		snprintf(key + length, size - (size_t)length, "\n%016" PRIx64, code_blocks_hash(blocks));
	uint32_t number = strings_number(names, key);
	free(key);
	return number;
}

/* Functions of one name are one, whichever file they come from: all files share them, in the map of the first. */
static void name_functions(struct making *making)
{
	const struct imported_profile *profile = making->profile;
	struct data_tables *tables = data_tables(making->data);
	making->function_of = memory_new(profile->function_count, sizeof *making->function_of);
	making->object_of = memory_new(profile->function_count, sizeof *making->object_of);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct imported_function *function = &profile->functions[i];
		const char *object = text_of(making, function->object), *source = text_of(making, function->source);
		uint32_t number = function_number(making, i);
		making->function_of[i] = number;
		making->object_of[i] = data_object(making->data, &(struct load_object){.type = OBJECT_DYNAMIC,
									 .path = *object ? object : "<Imported>",
									 .experiment = tables->first_import});
		struct perf_map *map = &tables->maps[tables->first_import];
		if (number < map->count)
			continue;
		map->functions = memory_room(map->functions, map->count, sizeof *map->functions);
		map->functions[map->count++] = (struct dynamic_function){.start = start_of(number),
			.size = IMPORTED_OFFSETS,
			.name = strings_keep(&tables->strings, text_of(making, function->name)),
			.source = *source ? strings_keep(&tables->strings, source) : 0,
			.first_line = function->first_line,
			.blocks = blocks_of(making, i) ? code_blocks_copy(blocks_of(making, i), &tables->strings.arena)
						       : 0};
	}
}

static void use_stacks(struct making *making)
{
	const struct imported_profile *profile = making->profile;
	making->is_used = memory_new(profile->stack_count, sizeof *making->is_used);
	for (uint32_t i = 0; i < profile->event_count; i++)
		making->is_used[profile->events[i].stack] = true;
	for (uint32_t i = 0; i < profile->reading_count; i++)
		making->is_used[profile->readings[i].stack] = true;
	for (uint32_t i = profile->stack_count; i-- > 1;)
		if (making->is_used[i])
			making->is_used[profile->stacks[i].parent] = true;
}

static void make_stacks(struct making *making)
{
	const struct imported_profile *profile = making->profile;
	struct data *data = making->data;
	uint32_t root = data_stack(data, &(struct stack){0, ROOT_START, STACK_ROOT, 0});
	making->stack_of = memory_new(profile->stack_count, sizeof *making->stack_of);
	for (uint32_t i = 1; i < profile->stack_count; i++) {
		const struct imported_stack *stack = &profile->stacks[i];
		if (!making->is_used[i])
			continue;
		uint64_t address = start_of(making->function_of[stack->function]) + stack->offset;
		making->stack_of[i] = data_stack(
			data, &(struct stack){stack->parent ? making->stack_of[stack->parent] : root,
				      data_address(data, making->object_of[stack->function], address), STACK_EXACT, 0});
	}
}

static int by_address(const void *a, const void *b)
{
	const struct imported_line *x = a, *y = b;
	return COMPARE(x->address, y->address) ?: COMPARE(x->line, y->line);
}

static void put_number(unsigned char *bytes, uint32_t number)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
}

/* Adds the lines of this profile's frames to those of the imports before it, and points functions to theirs. */
static void make_lines(struct making *making)
{
	enum { ROW = 8 };
	const struct imported_profile *profile = making->profile;
	struct data_tables *tables = data_tables(making->data);
	struct perf_map *map = &tables->maps[tables->first_import];
	for (uint32_t i = 1; i < profile->stack_count; i++) {
		const struct imported_stack *stack = &profile->stacks[i];
		uint32_t function = making->function_of[stack->function];
		if (!making->is_used[i] || !map->functions[function].source)
			continue;
		tables->imported_lines = memory_room(
			tables->imported_lines, tables->imported_line_count, sizeof *tables->imported_lines);
		tables->imported_lines[tables->imported_line_count++] =
			(struct imported_line){start_of(function) + stack->offset, stack->line};
	}
	uint32_t count = 0;
	if (tables->imported_line_count)
		qsort(tables->imported_lines, tables->imported_line_count, sizeof *tables->imported_lines, by_address);
	for (uint32_t i = 0; i < tables->imported_line_count; i++)
		if (!count || tables->imported_lines[i].address != tables->imported_lines[count - 1].address)
			tables->imported_lines[count++] = tables->imported_lines[i];
	tables->imported_line_count = count;
	tables->imported_line_bytes = memory_resize(tables->imported_line_bytes, count + 1, ROW);
	for (uint32_t i = 0; i < count; i++) {
		const struct imported_line *line = &tables->imported_lines[i];
		struct dynamic_function *function = &map->functions[line->address / IMPORTED_OFFSETS - 1];
		unsigned char *bytes = tables->imported_line_bytes + (size_t)i * ROW;
		put_number(bytes, (uint32_t)(line->address % IMPORTED_OFFSETS));
		put_number(bytes + 4, line->line);
		bool first = !i || line[-1].address / IMPORTED_OFFSETS != line->address / IMPORTED_OFFSETS;
		function->lines = first ? bytes : function->lines;
		function->line_count = first ? 1 : function->line_count + 1;
	}
}

static uint64_t first_time(const struct imported_profile *profile)
{
	uint64_t first = UINT64_MAX;
	for (uint32_t i = 0; i < profile->reading_count; i++)
		first = profile->readings[i].time < first ? profile->readings[i].time : first;
	for (uint32_t i = 0; i < profile->event_count; i++)
		first = profile->events[i].time < first ? profile->events[i].time : first;
	return first;
}

/* Columns without events yet, and without fields. */
static struct event_columns columns_with_room(uint32_t count)
{
	return (struct event_columns){.stack = memory_new(count, sizeof(uint32_t)),
		.time = memory_new(count, sizeof(uint64_t)),
		.thread = memory_new(count, sizeof(uint32_t)),
		.cpu = memory_new(count, sizeof(uint32_t))};
}

/* The events of one process as columns; their stacks are the profile's. */
static struct event_columns make_columns(const struct imported_profile *profile, uint32_t process)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < profile->event_count; i++)
		count += profile->events[i].process == process;
	struct event_columns columns = columns_with_room(count);
	uint64_t *counter = memory_new(count, sizeof *counter), *interval = memory_new(count, sizeof *interval);
	uint64_t start = first_time(profile);
	columns.field[FIELD_INDEX(OVERFLOW, counter)] = counter;
	columns.field[FIELD_INDEX(OVERFLOW, interval)] = interval;
	for (uint32_t i = 0; i < profile->event_count; i++) {
		const struct imported_event *event = &profile->events[i];
		if (event->process != process)
			continue;
		uint32_t at = columns.count++;
		columns.stack[at] = event->stack;
		columns.time[at] = event->time - start;
		columns.thread[at] = event->thread;
		columns.cpu[at] = event->cpu;
		counter[at] = event->counter;
		interval[at] = event->count;
	}
	return columns;
}

/* The readings of one process, likewise. */
static struct event_columns make_reading_columns(const struct imported_profile *profile, uint32_t process)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < profile->reading_count; i++)
		count += profile->readings[i].process == process;
	struct event_columns columns = columns_with_room(count);
	uint64_t start = first_time(profile);
	for (unsigned f = 0; f <= READINGS_MAX; f++)
		columns.field[f] = memory_new(count, sizeof *columns.field[f]);
	for (uint32_t i = 0; i < profile->reading_count; i++) {
		const struct imported_reading *reading = &profile->readings[i];
		if (reading->process != process)
			continue;
		uint32_t at = columns.count++;
		columns.stack[at] = reading->stack;
		columns.time[at] = reading->time - start;
		columns.thread[at] = reading->thread;
		columns.field[FIELD_INDEX(READING, known)][at] = reading->known;
		for (unsigned v = 0; v < READINGS_MAX; v++)
			columns.field[FIELD_INDEX(READING, value0) + v][at] = reading->value[v];
	}
	return columns;
}

static struct experiment *make_experiment(struct making *making, const char *path, uint32_t index)
{
	const struct imported_profile *profile = making->profile;
	struct event_columns columns = make_columns(profile, index);
	uint64_t duration = profile->duration;
	for (uint32_t i = 0; i < columns.count; i++)
		duration = columns.time[i] > duration ? columns.time[i] : duration;
	struct experiment *file = experiment_without_files(path);
	experiment_add_columns(file, KIND_OVERFLOW, &columns);
	if (profile->reading_count) {
		columns = make_reading_columns(profile, index);
		experiment_add_columns(file, KIND_READING, &columns);
	}
	file->overflow_counters = memory_new(OVERFLOW_COUNTERS_MAX, sizeof *file->overflow_counters);
	file->overflow_counter_count = profile->counter_count;
	memcpy(file->overflow_counters, profile->counters, sizeof profile->counters);
	file->start.realtime = profile->start;
	file->end = (struct time_triple){.raw = duration, .monotonic = duration, .realtime = profile->start + duration};
	if (profile->process_count) {
		file->process.pid = profile->processes[index].pid;
		file->process.command = strings_keep(
			&data_tables(making->data)->strings, text_of(making, profile->processes[index].name));
	}
	return file;
}

static uint32_t add_process(struct making *making, uint32_t index, uint32_t founder)
{
	const struct imported_profile *profile = making->profile;
	const char *suffix = profile->process_count > 1 ? text_of(making, profile->processes[index].suffix) : "";
	bool apart = profile->process_count && profile->processes[index].apart;
	size_t size = strlen(making->path) + strlen(suffix) + 1;
	char *path = memory_new(size, 1);
	snprintf(path, size, "%s%s", making->path, suffix);
	uint32_t added =
		data_add_experiment(making->data, make_experiment(making, path, index), apart ? NO_ID : founder);
	free(path);
	struct loaded_experiment *loaded = &making->data->experiments[added];
	loaded->imported = (struct imported_file){.what = profile->what,
		.path = strings_keep(&data_tables(making->data)->strings, making->path),
		.record = profile->record,
		.samples = profile->samples,
		.records = profile->records,
		.ignored = profile->ignored,
		.apart = apart};
	memcpy(loaded->imported.first_ignored, profile->first_ignored, sizeof profile->first_ignored);
	data_set_real_path(making->data, added, realpath(making->path, 0));
	return added;
}

void imported_experiments_add(struct data *data, const char *path, const struct imported_profile *profile)
{
	struct making making = {.data = data, .profile = profile, .path = path};
	struct data_tables *tables = data_tables(data);
	uint32_t first = data->experiment_count, processes = profile->process_count ? profile->process_count : 1;
	for (uint32_t i = 0; i < processes; i++)
		add_process(&making, i, i ? first : NO_ID);
	if (!tables->imported_names.count)
		tables->first_import = first;
	name_functions(&making);
	use_stacks(&making);
	make_stacks(&making);
	make_lines(&making);
	for (uint32_t e = first; e < data->experiment_count; e++) {
		struct loaded_experiment *loaded = &data->experiments[e];
		loaded->stack_of_count = profile->stack_count;
		loaded->stack_of = memory_resize(loaded->stack_of, profile->stack_count, sizeof *loaded->stack_of);
		memcpy(loaded->stack_of, making.stack_of, profile->stack_count * sizeof *loaded->stack_of);
	}
	free(making.function_of);
	free(making.object_of);
	free(making.stack_of);
	free(making.is_used);
}
