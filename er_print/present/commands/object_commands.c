/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose which load objects are shown with their functions. */
#include "command_functions.h"

static bool choose(struct session *session, const char *command, unsigned argc, char **argv, enum object_expansion as)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: %s: the names are missing", command);
	if (!session->data->experiment_count) {
		object_choice_add_default(&session->object_choice, argv[0], as);
		return true;
	}
	bool good = object_choice_set(session, argv[0], as, false);
	session_forget_tree(session);
	return good;
}

bool command_object_show(struct session *session, unsigned argc, char **argv)
{
	return choose(session, "object_show", argc, argv, OBJECT_SHOWN);
}

bool command_object_hide(struct session *session, unsigned argc, char **argv)
{
	return choose(session, "object_hide", argc, argv, OBJECT_HIDDEN);
}

bool command_object_api(struct session *session, unsigned argc, char **argv)
{
	return choose(session, "object_api", argc, argv, OBJECT_API);
}

bool command_object_select(struct session *session, unsigned argc, char **argv)
{
	/* An unknown name changes nothing but what the known ones ask for. */
	if (argc && !object_choice_set(session, argv[0], OBJECT_SHOWN, false)) {
		session_forget_tree(session);
		return false;
	}
	if (argc)
		object_choice_set(session, "all", OBJECT_HIDDEN, true);
	return choose(session, "object_select", argc, argv, OBJECT_SHOWN);
}

bool command_objects_default(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	object_choice_reset(session);
	session_forget_tree(session);
	return true;
}

bool command_object_list(struct session *session, unsigned argc, char **argv)
{
	static const char *const names[OBJECT_EXPANSION_COUNT] = {"show", "hide", "API-only"};
	(void)argc;
	(void)argv;
	static const struct table_heading headings[] = {
		{"Sel", COLUMN_TEXT}, {"Load Object", COLUMN_TEXT}, {"Path", COLUMN_TEXT}};
	struct table table = {.formed = "Sel      Load Object\n======== ==================\n", .said = true};
	table_preamble(&table, "Load objects");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t o = 0; o < session->object_choice.count; o++) {
		const struct load_object *object = &session->data->objects[o];
		if (object->type == OBJECT_TOTAL)
			continue;
		const char *shown = names[session->object_choice.expansion[o]];
		const char *name = table_plain(&table, resolver_object_name(session->resolver, o));
		const char *path = object->type == OBJECT_FILE ? table_plain(&table, object->path) : 0;
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_words(&cells[0], shown);
		cell_words(&cells[1], name);
		if (path)
			cell_words(&cells[2], path);
		table_line(&table, "%-8s %s%s%s%s\n", shown, name, path ? " (" : "", path ? path : "", path ? ")" : "");
	}
	session_print(session, &table);
	return true;
}
