/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells functions from files in the arguments of `source` and `disasm`. */
#include "source_target.h"
#include "choose_function.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool path_matches(const char *path, const char *wanted)
{
	size_t length = strlen(path), end = strlen(wanted);
	if (!end || end > length || strcmp(path + length - end, wanted) != 0)
		return false;
	return end == length || path[length - end - 1] == '/';
}

/* Whether a file is one that the word means. Debug information can name a file with and without its folder: where one name
   is absolute, the others are it once more. */
static bool is_meant(struct session *session, uint32_t file, const char *wanted)
{
	const char *path = resolver_file(session->resolver, file);
	if (!path_matches(path, wanted))
		return false;
	for (uint32_t f = 1; *path != '/' && f < resolver_file_count(session->resolver); f++) {
		const char *other = resolver_file(session->resolver, f);
		if (*other == '/' && path_matches(other, wanted))
			return false;
	}
	return true;
}

/* Makes the lines of all recorded addresses known, so that every file that matters has a number. */
static uint32_t find_files(struct session *session, const char *wanted, uint32_t number, uint32_t *file)
{
	uint32_t count = 0;
	session_tree(session);
	for (uint32_t f = 1; f < resolver_file_count(session->resolver); f++)
		if (is_meant(session, f, wanted) && ++count == number)
			*file = f;
	return count;
}

static bool choose_file(struct session *session, const char *wanted, const char *number, uint32_t *file)
{
	char text[512];
	unsigned long chosen = number ? strtoul(number, 0, 10) : 1;
	uint32_t count = find_files(session, wanted, chosen < UINT32_MAX ? (uint32_t)chosen : 0, file);
	if (!count)
		return session_error(session, "No function or source file with given name `%s' found.%s", wanted,
			nearest_functions(session, wanted, text, sizeof text));
	if (count > 1 && !number) {
		fprintf(stderr, "Available name list:\n");
		for (uint32_t f = 1, place = 0; f < resolver_file_count(session->resolver); f++)
			if (is_meant(session, f, wanted))
				fprintf(stderr, "%5" PRIu32 ") %s\n", ++place, resolver_file(session->resolver, f));
		return session_error(
			session, "`%s' names %" PRIu32 " files: add the number of one of them", wanted, count);
	}
	if (chosen < 1 || chosen > count)
		return session_error(
			session, "`%s' names %" PRIu32 " files: there is no number %s", wanted, count, number);
	return true;
}

static bool any_function(struct session *session, const char *name)
{
	session_tree(session);
	for (uint32_t f = 0; f < resolver_function_count(session->resolver); f++) {
		if (function_has_name(resolver_function(session->resolver, f), name))
			return true;
	}
	uint32_t count;
	free(resolver_functions_named(session->resolver, name, &count));
	return count > 0;
}

/* function"file" and function`file`: cuts the name and gives the file. */
static char *split_context(char *name)
{
	size_t length = strlen(name);
	char quote = length > 2 ? name[length - 1] : 0;
	if (quote != '"' && quote != '`')
		return 0;
	char *open = strchr(name, quote);
	if (open == name || open == name + length - 1)
		return 0;
	name[length - 1] = 0;
	*open = 0;
	return open + 1;
}

static bool find(struct session *session, char *name, const char *number, struct source_target *target)
{
	char *context = split_context(name);
	*target = (struct source_target){.is_file = !context && !any_function(session, name)};
	if (target->is_file)
		return choose_file(session, name, number, &target->file);
	if (!choose_function(session, name, number, &target->function))
		return false;
	const struct function *function = resolver_function(session->resolver, target->function);
	if (function->artificial)
		return session_error(session, "%s has no source and no instructions", function->long_name);
	target->file = function->file;
	return !context || choose_file(session, context, 0, &target->file);
}

bool source_target_find(struct session *session, const char *name, const char *number, struct source_target *target)
{
	char *copy = memory_new(strlen(name) + 1, 1);
	strcpy(copy, name);
	bool found = find(session, copy, number, target);
	free(copy);
	return found;
}
