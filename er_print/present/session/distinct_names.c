/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds functions of one name, and the first facts that differ between them. */
#include "distinct_names.h"
#include "base_name.h"
#include "search.h"
#include "session.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct named {
	const char *name, *told; /* told: what was found so far that tells it from others */
	uint32_t function;
};

static int by_name(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ?: COMPARE(a->function, b->function);
}

static int by_function(const void *left, const void *right)
{
	const struct distinct_name *a = left, *b = right;
	return COMPARE(a->function, b->function);
}

/* The facts, the most telling first. Each is a text of the table. */
typedef const char *fact(const struct session *session, struct table *table, const struct function *function);

static const char *object_fact(const struct session *session, struct table *table, const struct function *function)
{
	(void)table;
	return resolver_object_name(session->resolver, function->object);
}

static const char *source_fact(const struct session *session, struct table *table, const struct function *function)
{
	const char *path = base_name(resolver_file(session->resolver, function->file));
	return function->first_line ? table_text(table, "%s:%" PRIu32, path, function->first_line) : path;
}

static const char *source_path_fact(const struct session *session, struct table *table, const struct function *function)
{
	(void)table;
	return resolver_file(session->resolver, function->file);
}

static const char *object_path_fact(const struct session *session, struct table *table, const struct function *function)
{
	(void)table;
	return session->data->objects[function->object].path;
}

static const char *build_fact(const struct session *session, struct table *table, const struct function *function)
{
	enum { DIGITS = 8 };
	const char *build = session->data->objects[function->object].build_id;
	return *build ? table_text(table, "build %.*s", DIGITS, build) : "";
}

static const char *process_fact(const struct session *session, struct table *table, const struct function *function)
{
	const struct load_object *object = &session->data->objects[function->object];
	return object->type != OBJECT_DYNAMIC
		       ? ""
		       : table_text(table, "process %" PRIu32, session->data->experiments[object->experiment].number);
}

static const char *address_fact(const struct session *session, struct table *table, const struct function *function)
{
	(void)session;
	return function->size ? table_text(table, "0x%" PRIx64, function->start) : "inlined";
}

static fact *const facts[] = {
	object_fact, source_fact, object_path_fact, source_path_fact, process_fact, build_fact, address_fact};

static int by_told(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->told, ((const struct named *)right)->told);
}

/* Writes what a fact says of each to `texts`. Returns whether that tells some apart that nothing told apart before. */
static bool helps(const struct session *session, struct table *table, fact *is, const struct named *set, uint32_t count,
	const char **texts)
{
	bool differs = false;
	for (uint32_t i = 0; i < count; i++) {
		texts[i] = is(session, table, resolver_function(session->resolver, set[i].function));
		differs |= i && !strcmp(set[i].told, set[i - 1].told) && strcmp(texts[i], texts[i - 1]) != 0;
	}
	return differs;
}

/* Adds the facts that tell functions apart. */
static void tell(const struct session *session, struct table *table, struct named *set, uint32_t count)
{
	const char **texts = memory_new(count, sizeof *texts);
	for (unsigned f = 0; f < sizeof facts / sizeof *facts; f++) {
		qsort(set, count, sizeof *set, by_told);
		if (!helps(session, table, facts[f], set, count, texts))
			continue;
		for (uint32_t i = 0; i < count; i++)
			if (*texts[i])
				set[i].told =
					*set[i].told ? table_text(table, "%s, %s", set[i].told, texts[i]) : texts[i];
	}
	free(texts);
}

struct distinct_names distinct_names_find(const struct session *session, const uint32_t *functions, uint32_t count)
{
	struct table texts = {0};
	struct distinct_names found = {0};
	struct named *all = memory_new(count, sizeof *all);
	for (uint32_t i = 0; i < count; i++)
		all[i] = (struct named){session_plain_name(session, &texts, functions[i]), "", functions[i]};
	if (count)
		qsort(all, count, sizeof *all, by_name);
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && !strcmp(all[end].name, all[begin].name); end++)
			;
		if (end - begin < 2)
			continue;
		tell(session, &texts, all + begin, end - begin);
		for (uint32_t i = begin; i < end; i++) {
			if (!*all[i].told)
				continue;
			found.shared = memory_room(found.shared, found.count, sizeof *found.shared);
			found.shared[found.count++] = (struct distinct_name){all[i].function, strdup(all[i].told)};
		}
	}
	if (found.count)
		qsort(found.shared, found.count, sizeof *found.shared, by_function);
	free(all);
	table_free(&texts);
	return found;
}

struct distinct_names distinct_names_of_tree(const struct session *session, const struct path_tree *tree,
	const uint32_t *function_of, uint32_t address_count)
{
	uint32_t count = resolver_function_count(session->resolver), met = 0;
	bool *seen = memory_new(count, sizeof *seen);
	uint32_t *functions = memory_new(count, sizeof *functions);
	for (uint32_t node = 0; node < tree->count; node++) {
		const struct frame *frame = &tree->nodes[node].frame;
		uint32_t function = frame->address < address_count ? function_of[frame->address] : frame->function;
		if (!seen[function])
			functions[met++] = function;
		seen[function] = true;
	}
	struct distinct_names names = distinct_names_find(session, functions, met);
	free(functions);
	free(seen);
	return names;
}

void distinct_names_free(struct distinct_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->shared[i].text);
	free(names->shared);
	*names = (struct distinct_names){0};
}

const char *distinct_name(const struct distinct_names *names, uint32_t function)
{
	struct distinct_name key = {function, 0};
	const struct distinct_name *found =
		names->count ? bsearch(&key, names->shared, names->count, sizeof key, by_function) : 0;
	return found ? found->text : 0;
}
