/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about where sources, load objects and debug information are looked for. */
#include "command_functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static bool set_path(struct session *session, unsigned argc, char **argv, bool replace)
{
	if (argc) {
		search_path_add(&session->search_path, argv[0], replace);
		session_forget_resolver(session);
		return true;
	}
	fprintf(session_said(session), "search path:\n");
	for (unsigned i = 0; i < session->search_path.entry_count; i++)
		fprintf(session_said(session), "\t%s\n", session->search_path.entries[i]);
	return true;
}

bool command_setpath(struct session *session, unsigned argc, char **argv)
{
	return set_path(session, argc, argv, true);
}

bool command_addpath(struct session *session, unsigned argc, char **argv)
{
	return set_path(session, argc, argv, false);
}

bool command_pathmap(struct session *session, unsigned argc, char **argv)
{
	if (argc == 1 || (argc && !*argv[0]))
		return session_error(
			session, "Invalid argument to command: pathmap: two prefixes, the old and the new");
	if (argc) {
		search_path_map(&session->search_path, argv[0], argv[1]);
		session_forget_resolver(session);
		return true;
	}
	fprintf(session_said(session), "Path mappings:\n");
	for (unsigned i = 0; i < session->search_path.map_count; i++)
		fprintf(session_said(session), "\t%s -> %s\n", session->search_path.maps[i].from,
			session->search_path.maps[i].to);
	return true;
}

bool command_keep_names(struct session *session, unsigned argc, char **argv)
{
	char *end = "";
	bool word = argc && (!strcasecmp(argv[0], "on") || !strcasecmp(argv[0], "off"));
	unsigned long megabytes = argc && !word ? strtoul(argv[0], &end, 10) : 0;
	if (argc && !word && (*end || *argv[0] == '-' || end == argv[0] || megabytes > UINT32_MAX))
		return session_error(session,
			"Invalid argument to command: keep_names %s: it must be on, off, or a number of megabytes",
			argv[0]);
	if (argc) {
		session->kept_names = !word                        ? (uint64_t)megabytes << 20
				      : !strcasecmp(argv[0], "on") ? KEPT_NAMES_LIMIT
								   : 0;
		resolver_keep_names(session->resolver, session->kept_names);
	}
	if (!session->quiet)
		fprintf(session_said(session), "Names are kept in: %" PRIu64 " MB\n", session->kept_names >> 20);
	return true;
}

bool command_debuginfod(struct session *session, unsigned argc, char **argv)
{
	if (argc && strcasecmp(argv[0], "on") && strcasecmp(argv[0], "off"))
		return session_error(session, "debuginfod is on or off, not `%s'", argv[0]);
	if (argc) {
		session->debuginfod = !strcasecmp(argv[0], "on");
		resolver_set_debuginfod(session->resolver, session->debuginfod);
	}
	fprintf(stderr, "Debuginfod is %s\n", session->debuginfod ? "on" : "off");
	return true;
}
