/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that tell of commands and of er_print itself. */
#include "command_manual.h"
#include "commands.h"
#include "facts.h"
#include "program.h"

#include <stdlib.h>

static void add_command(struct table *table, const char *section, const struct command *command)
{
	enum { SECTION, COMMAND, ALIAS, ARGUMENTS, MEANING };
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_words(&cells[SECTION], section);
	cell_words(&cells[COMMAND], command->name);
	if (command->alias)
		cell_words(&cells[ALIAS], command->alias);
	cell_words(&cells[ARGUMENTS], command->argument_text);
	cell_words(&cells[MEANING], command->help);
	const char *usage = table_text(table, "%s%s%s%s %s", command->name, command->alias ? " (" : "",
		command->alias ? command->alias : "", command->alias ? ")" : "", command->argument_text);
	table_line(table, "  %-46s %s\n", usage, command->help);
}

/* The commands that this version has, by section. */
static struct table commands_table(void)
{
	static const struct table_heading headings[] = {{"Section", COLUMN_TEXT}, {"Command", COLUMN_TEXT},
		{"Alias", COLUMN_TEXT}, {"Arguments", COLUMN_TEXT}, {"Meaning", COLUMN_TEXT}};
	struct table table = {.formed = ""};
	const char *section = "", *title = "";
	table_preamble(&table, "Commands");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned i = 0; i < command_count && !command_is_later(&commands[i]); i++) {
		const struct command *command = &commands[i];
		if (command->section) {
			section = command->section;
			title = table_text(&table, "%s%s:\n", i ? "\n" : "", section);
		} else if (command->where != WHERE_HIDDEN) {
			add_command(&table, section, command);
			struct row *row = &table.rows[table.row_count - 1];
			row->line = table_text(&table, "%s%s", title, row->line);
			title = "";
		}
	}
	return table;
}

void commands_print_help(FILE *file)
{
	struct table table = commands_table();
	table_print_text(&table, file);
	table_free(&table);
}

bool command_print_help(FILE *file, const char *word, struct error *error)
{
	const struct command *command = command_find(word, error);
	const char *text = command ? command_manual(command->name) : 0;
	if (!command)
		return false;
	if (text)
		fputs(text, file);
	else if (command_is_later(command))
		fprintf(file, "  %s\n    Not available in this version: %s.\n", command->name, command->help);
	else
		fprintf(file, "  %s %s\n    %s%s.\n", command->name, command->argument_text,
			command->where == WHERE_RC_ONLY ? "In .er.rc only: " : "", command->help);
	return true;
}

/* The manual's lines about a command: for programs as a table. */
static bool help_with(struct session *session, const char *word)
{
	struct error error;
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool found = file && command_print_help(file, word, &error);
	if (file)
		fclose(file);
	if (found && session->print_mode == PRINT_TEXT)
		fputs(text, stdout);
	else if (found)
		session_print_lines(session, "Help", text);
	free(text);
	return found || session_error(session, "%s", error.text);
}

bool command_help(struct session *session, unsigned argc, char **argv)
{
	if (argc)
		return help_with(session, argv[0]);
	if (session->print_mode == PRINT_TEXT) {
		commands_print_help(stdout);
	} else {
		struct table table = commands_table();
		session_print(session, &table);
	}
	return true;
}

bool command_version(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (session->print_mode == PRINT_TEXT) {
		printf("%s\n", PROGRAM_VERSION);
		return true;
	}
	struct facts facts;
	facts_begin(&facts, "Version");
	fact_text(&facts, "Version", PROGRAM_VERSION);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
