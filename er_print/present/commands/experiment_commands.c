/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that load and unload experiments in a session. */
#include "command_functions.h"

#include <stdlib.h>
#include <string.h>

static bool load(struct session *session, const char *path, bool import)
{
	struct error error = {""};
	return session_load(session, path, import, &error) || session_error(session, "%s", error.text);
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

static bool add_experiment(struct session *session, const char *path, bool import)
{
	if (find(session, path) < session->argument_count)
		return session_error(session, "%s: is loaded already", path);
	return load(session, path, import);
}

bool command_add_exp(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: add_exp: the experiment is missing");
	return add_experiment(session, argv[0], false);
}

bool command_import(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: import: the file is missing");
	return add_experiment(session, argv[0], true);
}

bool command_drop_exp(struct session *session, unsigned argc, char **argv)
{
	unsigned which = argc ? find(session, argv[0]) : session->argument_count;
	if (which == session->argument_count)
		return session_error(session, "%s: no such experiment is loaded", argc ? argv[0] : "drop_exp");
	struct session_arguments others = session_unload(session);
	session_load_again(session, &others, which);
	return true;
}

bool command_open_exp(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: open_exp: the experiment is missing");
	struct session_arguments others = session_unload(session);
	bool loaded = load(session, argv[0], false);
	if (loaded)
		session_arguments_free(&others);
	else /* what cannot be opened takes the place of nothing */
		session_load_again(session, &others, others.count);
	return loaded;
}
