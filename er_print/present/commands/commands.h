/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands as C, and how a word becomes a command. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "command_functions.h"
#include <stdbool.h>
#include <stdio.h>

enum command_arguments {
	ARGUMENTS_NONE,
	ARGUMENTS_TEXT,
	ARGUMENTS_SIGNED,
	ARGUMENTS_OPTIONAL,
	ARGUMENTS_FOLDERS,
	ARGUMENTS_NAME,
	ARGUMENTS_NAMED_FILE,
	ARGUMENTS_PAIR,
	ARGUMENTS_EXPRESSION,
	ARGUMENTS_DEFINITION
};
enum command_where {
	WHERE_ANYWHERE,
	WHERE_ALSO_RC,
	WHERE_RC_ONLY,
	WHERE_NOT_ARGUMENT,
	WHERE_WHOLE,
	WHERE_HIDDEN,
	WHERE_LATER,
	WHERE_LATER_WHOLE
};

struct command {
	const char *section; /* not 0: this row begins a section of the help, and is no command */
	const char *name, *alias;
	enum command_arguments arguments;
	const char *argument_text, *help; /* help: of one that this version does not have, why */
	enum command_where where;
	command_function *run; /* 0: this version does not have it */
};
extern const struct command commands[];
extern const unsigned command_count;

/* The command that a word means: a whole name or alias, else the only one that begins like it; case does not matter.
   0 and *error otherwise, which names those that may have been meant. */
const struct command *command_find(const char *word, struct error *error);
/* Runs a command after checking the number of its arguments. False if it failed and said why. */
bool command_run(struct session *session, const struct command *command, unsigned argc, char **argv);
/* Whether a command with these arguments writes a file of another tool to standard output. */
bool command_takes_output(const struct command *command, unsigned argc, char **argv);
/* The argument that begins with a dash where this command takes none that does, so that an option is likely to be meant: 0 if there
   is none. "-" alone is no such argument. */
const char *command_dash(const struct command *command, unsigned argc, char **argv);
/* Whether this version does not have it. */
bool command_is_later(const struct command *command);
/* The list of commands with their arguments. */
void commands_print_help(FILE *file);
/* Prints the manual's text about one command. False and *error if there is no such command. */
bool command_print_help(FILE *file, const char *word, struct error *error);

#endif
