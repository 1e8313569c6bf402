/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, sorts and marks the functions of a tree. */
#include "picture_functions.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct ordering {
	struct picture_function *functions;
	struct resolver *resolver;
};

/* Stable from run to run. */
static int alphabetical(const void *left, const void *right, void *context)
{
	const struct ordering *ordering = context;
	uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
	const struct function *a = resolver_function(ordering->resolver, first);
	const struct function *b = resolver_function(ordering->resolver, second);
	int order = strcmp(ordering->functions[first].name, ordering->functions[second].name);
	if (!order)
		order = strcmp(resolver_object_name(ordering->resolver, a->object),
			resolver_object_name(ordering->resolver, b->object));
	if (!order)
		order = strcmp(resolver_file(ordering->resolver, a->file), resolver_file(ordering->resolver, b->file));
	return order ?: COMPARE(a->start, b->start) ?: COMPARE(first, second);
}

/* Names the functions and lists each once. */
static uint32_t name_functions(const struct path_tree *tree, const struct picture_naming *naming,
	struct picture_function *functions, uint32_t *listed)
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
static void colour_objects(
	struct picture_function *functions, const uint32_t *listed, uint32_t count, struct resolver *resolver)
{
	const char **names = memory_new(count, sizeof *names);
	uint32_t objects = 0;
	for (uint32_t i = 0; i < count; i++)
		names[i] = resolver_object_name(resolver, resolver_function(resolver, listed[i])->object);
	qsort(names, count, sizeof *names, compare_names);
	for (uint32_t i = 0; i < count; i++)
		if (!i || strcmp(names[i], names[objects - 1]) != 0)
			names[objects++] = names[i];
	unsigned *hues = memory_new(objects, sizeof *hues);
	colour_hues(names, objects, hues);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = resolver_object_name(resolver, resolver_function(resolver, listed[i])->object);
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
	uint32_t count = name_functions(tree, naming, functions, listed);
	colour_objects(functions, listed, count, resolver);
	struct ordering ordering = {functions, resolver};
	qsort_r(listed, count, sizeof *listed, alphabetical, &ordering);
	for (uint32_t i = 0; i < count; i++)
		functions[listed[i]].rank = i;
	free(listed);
	return functions;
}
