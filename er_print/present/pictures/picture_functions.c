/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, sorts and marks the functions of a tree. */
#include "picture_functions.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct ordering {
	struct picture_function *functions;
	const struct picture_naming *naming;
	struct resolver *resolver;
};

/* Stable from run to run. */
static int alphabetical(const void *left, const void *right, void *context)
{
	const struct ordering *ordering = context;
	uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
	const struct picture_function *a = &ordering->functions[first], *b = &ordering->functions[second];
	int order = strcmp(a->name, b->name) ?: strcmp(a->object_name, b->object_name) ?: strcmp(a->file_name, b->file_name);
	if (order || ordering->naming->unresolved)
		return order ?: COMPARE(first, second);
	uint64_t start = resolver_function(ordering->resolver, first)->start;
	return COMPARE(start, resolver_function(ordering->resolver, second)->start) ?: COMPARE(first, second);
}

/* Names the functions and lists each once. */
static uint32_t name_functions(const struct path_tree *tree, struct resolver *resolver,
	const struct picture_naming *naming, struct picture_function *functions, uint32_t *listed)
{
	uint32_t count = 0;
	for (uint32_t node = 0; node < tree->count; node++) {
		uint32_t function = tree->nodes[node].frame.function;
		struct picture_function *known = &functions[function];
		if (known->name)
			continue;
		listed[count++] = function;
		known->name = naming->name(naming->context, function);
		known->mark = frame_mark_of(known->name, &known->length);
		const struct function *resolved = naming->unresolved ? 0 : resolver_function(resolver, function);
		known->object_name = resolved ? resolver_object_name(resolver, resolved->object) : known->name;
		known->file_name = resolved ? resolver_file(resolver, resolved->file) : "";
		if (known->mark == MARK_NONE && naming->mark)
			known->mark = naming->mark(naming->context, function);
	}
	return count;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Numbers the load objects by their names, and gives each a hue. */
static void colour_objects(struct picture_function *functions, const uint32_t *listed, uint32_t count)
{
	const char **names = memory_new(count, sizeof *names);
	uint32_t objects = 0;
	for (uint32_t i = 0; i < count; i++)
		names[i] = functions[listed[i]].object_name;
	qsort(names, count, sizeof *names, compare_names);
	for (uint32_t i = 0; i < count; i++)
		if (!i || strcmp(names[i], names[objects - 1]) != 0)
			names[objects++] = names[i];
	unsigned *hues = memory_new(objects, sizeof *hues);
	colour_hues(names, objects, hues);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = functions[listed[i]].object_name;
		const char **found = bsearch(&name, names, objects, sizeof *names, compare_names);
		functions[listed[i]].object = (unsigned)(found - names);
		functions[listed[i]].hue = hues[found - names];
	}
	free(hues);
	free(names);
}

struct picture_function *picture_functions(
	const struct path_tree *tree, struct resolver *resolver, const struct picture_naming *naming)
{
	uint32_t last = 0;
	for (uint32_t node = 0; node < tree->count; node++)
		if (tree->nodes[node].frame.function > last)
			last = tree->nodes[node].frame.function;
	struct picture_function *functions = memory_new((size_t)last + 1, sizeof *functions);
	uint32_t *listed = memory_new((size_t)last + 1, sizeof *listed);
	uint32_t count = name_functions(tree, resolver, naming, functions, listed);
	colour_objects(functions, listed, count);
	struct ordering ordering = {functions, naming, resolver};
	qsort_r(listed, count, sizeof *listed, alphabetical, &ordering);
	for (uint32_t i = 0; i < count; i++)
		functions[listed[i]].rank = i;
	free(listed);
	return functions;
}
