/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that load and unload experiments in a session. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

static bool load(struct session *session, const char *path, bool import)
{
	struct error error = {""};
	return session_load(session, path, import, &error) || session_error(session, "%s", error.text);
}

/* The experiments' arguments, taken from the session. */
struct arguments {
	struct session_argument *all;
	unsigned count;
};

static struct arguments take_all(struct session *session)
{
	struct arguments arguments = {session->arguments, session->argument_count};
	session->arguments = 0;
	session->argument_count = 0;
	session_unload(session);
	return arguments;
}

/* Loads them again, except one, or not; frees the list. */
static void load_again(struct session *session, struct arguments *arguments, unsigned except, bool again)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		if (again && i != except)
			load(session, arguments->all[i].path, arguments->all[i].imported);
		free(arguments->all[i].path);
	}
	free(arguments->all);
}

/* Paths with and without a slash at the end are the same. */
static bool is_same(const char *a, const char *b)
{
	size_t lengths[] = {strlen(a), strlen(b)};
	while (lengths[0] > 1 && a[lengths[0] - 1] == '/')
		lengths[0]--;
	while (lengths[1] > 1 && b[lengths[1] - 1] == '/')
		lengths[1]--;
	return lengths[0] == lengths[1] && !strncmp(a, b, lengths[0]);
}

static unsigned find(const struct session *session, const char *path)
{
	unsigned i = 0;
	while (i < session->argument_count && !is_same(session->arguments[i].path, path))
		i++;
	return i;
}

static bool add(struct session *session, const char *path, bool import)
{
	if (find(session, path) < session->argument_count)
		return session_error(session, "%s: is loaded already", path);
	return load(session, path, import);
}

bool command_add_exp(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: add_exp: the experiment is missing");
	return add(session, argv[0], false);
}

bool command_import(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: import: the file is missing");
	return add(session, argv[0], true);
}

bool command_drop_exp(struct session *session, unsigned argc, char **argv)
{
	unsigned which = argc ? find(session, argv[0]) : session->argument_count;
	if (which == session->argument_count)
		return session_error(session, "%s: no such experiment is loaded", argc ? argv[0] : "drop_exp");
	struct arguments arguments = take_all(session);
	load_again(session, &arguments, which, true);
	return true;
}

bool command_open_exp(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: open_exp: the experiment is missing");
	struct arguments arguments = take_all(session);
	bool loaded = load(session, argv[0], false);
	/* What cannot be opened takes the place of nothing. */
	load_again(session, &arguments, arguments.count, !loaded);
	return loaded;
}
