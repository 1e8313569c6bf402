/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks a function up by name. */
#include "choose_function.h"
#include "functions_view.h"
#include "nearest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct candidates {
	uint32_t *functions;
	size_t count, capacity;
};

static void add_candidate(struct candidates *candidates, uint32_t function)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->functions[i] == function)
			return;
	memory_reserve(candidates->functions, candidates->count, candidates->capacity);
	candidates->functions[candidates->count++] = function;
}

/* Whether a function is shown under this name: with what tells it from others. */
static bool is_shown_as(struct session *session, uint32_t function, const char *name)
{
	struct table texts = {0};
	bool is = !strcmp(session_function_name(session, &texts, function), name);
	table_free(&texts);
	return is;
}

/* Those with sums; where there is none, those that the load objects define. */
static struct candidates find(struct session *session, const char *name)
{
	struct candidates candidates = {0};
	size_t count;
	uint32_t *listed = functions_in_order(session, &count);
	for (size_t i = 0; i < count; i++)
		if (function_has_name(resolver_function(session->resolver, listed[i]), name) ||
			is_shown_as(session, listed[i], name))
			add_candidate(&candidates, listed[i]);
	free(listed);
	if (candidates.count)
		return candidates;
	uint32_t named_count;
	uint32_t *named = resolver_functions_named(session->resolver, name, &named_count);
	for (uint32_t i = 0; i < named_count; i++)
		add_candidate(&candidates, named[i]);
	free(named);
	return candidates;
}

/* Whether the name of the function's load object does not tell it from that of another candidate. */
static bool is_of_builds(struct session *session, const struct candidates *candidates, const struct function *function)
{
	for (size_t i = 0; i < candidates->count; i++) {
		const struct function *other = resolver_function(session->resolver, candidates->functions[i]);
		if (other->object != function->object &&
			!strcmp(resolver_object_name(session->resolver, other->object),
				resolver_object_name(session->resolver, function->object)))
			return true;
	}
	return false;
}

static void print_candidates(struct session *session, const struct candidates *candidates, FILE *file)
{
	fprintf(file, "Available name list:\n");
	for (size_t i = 0; i < candidates->count; i++) {
		const struct function *function = resolver_function(session->resolver, candidates->functions[i]);
		const struct load_object *object = &session->data->objects[function->object];
		const char *path = resolver_file(session->resolver, function->file);
		fprintf(file, "%5zu) %s %s", i + 1, function->long_name,
			resolver_object_name(session->resolver, function->object));
		if (function->size)
			fprintf(file, ":0x%" PRIx64, function->start);
		fprintf(file, " (%s", *path ? path : "(unknown)");
		if (*path && function->first_line)
			fprintf(file, ":%" PRIu32, function->first_line);
		fprintf(file, "%s)", function->size || function->artificial ? "" : ", inlined");
		if (is_of_builds(session, candidates, function))
			fprintf(file, " of %s, build %.8s", object->path,
				*object->build_id ? object->build_id : object->checksum);
		putc('\n', file);
	}
}

static bool ask(struct session *session, const struct candidates *candidates, size_t *choice)
{
	char line[64];
	print_candidates(session, candidates, stdout);
	printf("    0) Cancel\nEnter selection: ");
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return false;
	*choice = strtoul(line, 0, 10);
	return *choice != 0;
}

const char *nearest_functions(struct session *session, const char *name, char *text, size_t size)
{
	struct nearest nearest;
	nearest_begin(&nearest, name);
	for (uint32_t f = 0; f < resolver_function_count(session->resolver); f++)
		nearest_offer(&nearest, resolver_function(session->resolver, f)->short_name);
	return nearest_text(&nearest, text, size);
}

static bool choose(struct session *session, const struct candidates *candidates, const char *name, const char *number,
	size_t *choice)
{
	char *end = 0, text[512];
	*choice = 1;
	if (!candidates->count)
		return session_error(session, "No function with given name `%s' found.%s", name,
			nearest_functions(session, name, text, sizeof text));
	if (candidates->count == 1)
		return true;
	if (number) {
		*choice = strtoul(number, &end, 10);
	} else if (!session->on_command_line && !session->script_depth && isatty(STDIN_FILENO)) {
		if (!ask(session, candidates, choice))
			return false;
	} else {
		print_candidates(session, candidates, stderr);
		return session_error(
			session, "`%s' names %zu functions: add the number of one of them", name, candidates->count);
	}
	if ((end && *end) || *choice < 1 || *choice > candidates->count)
		return session_error(session, "`%s' names %zu functions: there is no number %s", name,
			candidates->count, number ? number : "like this");
	return true;
}

bool choose_function(struct session *session, const char *name, const char *number, uint32_t *function)
{
	struct candidates candidates = find(session, name);
	size_t choice;
	bool chosen = choose(session, &candidates, name, number, &choice);
	if (chosen)
		*function = candidates.functions[choice - 1];
	free(candidates.functions);
	return chosen;
}
