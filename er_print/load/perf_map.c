/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a perf map. Code memory is used again: where two functions overlap, the later line is the one that stayed. */
#include "perf_map.h"
#include "input.h"
#include "search.h"
#include <stdlib.h>
#include <string.h>

struct announced {
	struct dynamic_function function;
	uint32_t line;
};

static int later_first(const void *a, const void *b)
{
	const struct announced *x = a, *y = b;
	return COMPARE(x->function.start, y->function.start) ?: COMPARE(y->line, x->line);
}

/* One line, ended by a NUL. False if it is malformed. */
static bool read_line(struct arena *names, char *line, struct dynamic_function *function)
{
	char *end;
	*function = (struct dynamic_function){.start = strtoull(line, &end, 16)};
	if (end == line || *end != ' ')
		return false;
	char *size = end + 1;
	function->size = strtoull(size, &end, 16);
	if (end == size || *end != ' ' || !end[1] || !function->size || function->size > UINT64_MAX - function->start)
		return false;
	function->name = arena_string(names, end + 1, strlen(end + 1));
	return true;
}

/* Leaves of each function what no later one took: a function is cut where the next begins, and given up where an earlier
   start with a later line covers its own start. */
static void keep_latest(struct perf_map *map, const struct announced *announced, uint32_t count)
{
	map->functions = memory_new(count, sizeof *map->functions);
	uint32_t last_line = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct dynamic_function *last = map->count ? &map->functions[map->count - 1] : 0;
		const struct dynamic_function *next = &announced[i].function;
		if (last && next->start < last->start + last->size) {
			if (announced[i].line < last_line)
				continue;
			last->size = next->start - last->start;
		}
		map->functions[map->count++] = *next;
		last_line = announced[i].line;
	}
}

void perf_map_read(struct perf_map *map, const struct experiment *experiment, const char *name)
{
	size_t size;
	char *text = input_whole(experiment->path, name, &size);
	struct announced *announced = 0;
	uint32_t count = 0;
	for (char *line = text, *next; line && line < text + size; line = next) {
		char *end = memchr(line, '\n', (size_t)(text + size - line));
		next = end ? end + 1 : text + size;
		if (end)
			*end = 0;
		struct dynamic_function function;
		if (!read_line(&map->names, line, &function))
			continue;
		announced = memory_room(announced, count, sizeof *announced);
		announced[count] = (struct announced){function, count};
		count++;
	}
	free(text);
	if (count)
		qsort(announced, count, sizeof *announced, later_first);
	keep_latest(map, announced, count);
	free(announced);
}

void perf_map_free(struct perf_map *map)
{
	free(map->functions);
	arena_free(&map->names);
}

const struct dynamic_function *perf_map_find(const struct perf_map *map, uint64_t address)
{
	uint32_t low = FIRST_WHERE(i, map->count, map->functions[i].start > address);
	const struct dynamic_function *found = low ? &map->functions[low - 1] : 0;
	return found && address - found->start < found->size ? found : 0;
}
