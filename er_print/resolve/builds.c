/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups load objects by name, and joins their functions by name and source file. */
#include "builds.h"
#include "base_name.h"
#include "resolver_state.h"
#include "scope_functions.h"
#include "search.h"
#include <stdlib.h>
#include <string.h>

/* A load object in a run, for sorting. */
struct occurrence {
	const char *name, *path;
	uint32_t object, run;
};

/* Run-time code is left out: its names and addresses mean nothing in another process. The kernel's symbols do. */
static bool is_of_builds(const struct load_object *object)
{
	return object->type == OBJECT_FILE || object->type == OBJECT_VDSO ||
	       (object->type == OBJECT_DYNAMIC && object->layer == LAYER_KERNEL);
}

static int by_run(const void *left, const void *right)
{
	const struct occurrence *a = left, *b = right;
	return strcmp(a->name, b->name) ?: COMPARE(a->run, b->run) ?: strcmp(a->path, b->path);
}

static int by_path(const void *left, const void *right)
{
	const struct occurrence *a = left, *b = right;
	return strcmp(a->name, b->name) ?: strcmp(a->path, b->path) ?: COMPARE(a->object, b->object);
}

static struct occurrence *occurrences_of(const struct data *data, uint32_t *count)
{
	struct occurrence *all = 0;
	size_t capacity = 0;
	*count = 0;
	for (uint32_t o = 0; o < data->object_count; o++) {
		const struct load_object *object = &data->objects[o];
		for (uint32_t r = 0; is_of_builds(object) && r < object->run_count; r++) {
			memory_reserve(all, *count, capacity);
			all[(*count)++] =
				(struct occurrence){base_name(object->path), object->path, o, object->runs[r]};
		}
	}
	return all;
}

/* Those of one name: by path alone where a run has two. */
static void join(struct builds *builds, struct occurrence *named, uint32_t count)
{
	bool two_paths = false;
	uint32_t first = named[0].object;
	for (uint32_t i = 1; i < count; i++) {
		two_paths |= named[i].run == named[i - 1].run && strcmp(named[i].path, named[i - 1].path) != 0;
		first = named[i].object < first ? named[i].object : first;
	}
	qsort(named, count, sizeof *named, by_path);
	for (uint32_t i = 0; i < count; i++) {
		if (two_paths && (!i || strcmp(named[i].path, named[i - 1].path) != 0))
			first = named[i].object;
		builds->group_of[named[i].object] = first;
	}
}

void builds_find(struct builds *builds, const struct data *data)
{
	uint32_t count;
	struct occurrence *all = occurrences_of(data, &count);
	builds->object_count = data->object_count;
	builds->group_of = memory_new(data->object_count, sizeof *builds->group_of);
	builds->size_of = memory_new(data->object_count, sizeof *builds->size_of);
	for (uint32_t o = 0; o < data->object_count; o++)
		builds->group_of[o] = o;
	if (count)
		qsort(all, count, sizeof *all, by_run);
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !strcmp(all[end].name, all[i].name); end++)
			;
		join(builds, all + i, end - i);
	}
	for (uint32_t o = 0; o < data->object_count; o++)
		builds->size_of[builds->group_of[o]]++;
	free(all);
}

void builds_free(struct builds *builds)
{
	free(builds->group_of);
	free(builds->size_of);
	free(builds->shown_as);
	free(builds->next);
	id_table_free(&builds->by_name);
}

static void make_room(struct builds *builds, uint32_t functions)
{
	uint32_t old = builds->function_count;
	if (old >= functions)
		return;
	builds->function_count = functions + functions / 2;
	builds->shown_as = memory_resize(builds->shown_as, builds->function_count, sizeof *builds->shown_as);
	builds->next = memory_resize(builds->next, builds->function_count, sizeof *builds->next);
	for (uint32_t f = old; f < builds->function_count; f++)
		builds->shown_as[f] = builds->next[f] = NO_ID;
}

static bool same_function(const void *context, uint32_t id, const void *key)
{
	const struct resolver *resolver = context;
	const struct function *a = resolver->functions.array[id], *b = key;
	bool kernel = resolver->data->objects[b->object].type == OBJECT_DYNAMIC;
	return a->file == b->file && resolver->builds.group_of[a->object] == resolver->builds.group_of[b->object] &&
	       !strcmp(a->long_name, b->long_name) && (!kernel || a->start == b->start);
}

/* Whether the name cannot tell which function of its object it is. */
static bool is_ambiguous(struct resolver *resolver, uint32_t index)
{
	const struct function *function = resolver->functions.array[index];
	struct code_object *object = resolver_opened(resolver, function->object);
	return function->size && object && code_object_has_twin(object, &resolver->functions, index);
}

/* Whether a function is shown as another of its own object already. */
static bool is_taken(const struct resolver *resolver, uint32_t first, uint32_t object)
{
	for (uint32_t f = first; f != NO_ID; f = resolver->builds.next[f])
		if (resolver->functions.array[f]->object == object)
			return true;
	return false;
}

static uint32_t find(struct resolver *resolver, uint32_t index)
{
	struct builds *builds = &resolver->builds;
	const struct function *function = resolver->functions.array[index];
	if (function->artificial || function->object >= builds->object_count ||
		builds->size_of[builds->group_of[function->object]] < 2 || function->long_name[0] == '<' ||
		is_ambiguous(resolver, index))
		return index;
	uint64_t hash = hash_pair(hash_text(function->long_name), function->file);
	uint32_t first = id_table_find(&builds->by_name, hash, same_function, resolver, function);
	if (first == NO_ID) {
		id_table_add(&builds->by_name, hash, index);
		return index;
	}
	if (is_taken(resolver, first, function->object))
		return index;
	builds->next[index] = builds->next[first];
	builds->next[first] = index;
	return first;
}

uint32_t builds_function(struct resolver *resolver, uint32_t function)
{
	struct builds *builds = &resolver->builds;
	if (builds->apart)
		return function;
	make_room(builds, resolver->functions.count);
	if (builds->shown_as[function] == NO_ID) {
		uint32_t first = find(resolver, function);
		make_room(builds, resolver->functions.count); /* a twin may have been met */
		builds->shown_as[function] = first;
	}
	return builds->shown_as[function];
}
