/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command once for each group and catches its tables. */
#include "group_reports.h"
#include "joined_tables.h"

#include <stdlib.h>

static void free_tables(struct captured_tables *captured, unsigned groups)
{
	for (unsigned g = 0; g < groups; g++) {
		for (unsigned t = 0; t < captured[g].count; t++)
			table_free(&captured[g].all[t]);
		free(captured[g].all);
	}
	free(captured);
}

/* The tables of each group, with all of their rows. */
static bool capture(struct session *session, struct captured_tables *captured, unsigned groups,
	command_function *command, unsigned argc, char **argv)
{
	unsigned long limit = session->limit;
	bool done = true;
	session->limit = 0;
	for (unsigned g = 0; g < groups && done; g++) {
		session->only_group = g + 1;
		session_forget_sums(session);
		session->captured = &captured[g];
		done = command(session, argc, argv);
	}
	session->captured = 0;
	session->only_group = 0;
	session->limit = limit;
	session_forget_sums(session);
	return done;
}

bool group_reports_run(struct session *session, command_function *command, unsigned argc, char **argv)
{
	unsigned groups = session_groups(session);
	struct captured_tables *captured = memory_new(groups, sizeof *captured);
	struct table *tables = memory_new(groups, sizeof *tables);
	bool done = capture(session, captured, groups, command, argc, argv);
	unsigned count = captured[0].count;
	for (unsigned g = 1; g < groups; g++)
		count = captured[g].count < count ? captured[g].count : count;
	for (unsigned t = 0; done && t < count; t++) {
		for (unsigned g = 0; g < groups; g++)
			tables[g] = captured[g].all[t];
		struct table joined = joined_tables(session, tables, session->limit);
		if (t)
			session_another_report(session);
		session_print(session, &joined);
	}
	free(tables);
	free_tables(captured, groups);
	return done;
}
