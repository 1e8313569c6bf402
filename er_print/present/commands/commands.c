/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands commands.def, finds commands by unambiguous prefixes, runs them. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
const struct command commands[] = {
#define SECTION(title) {.section = title},
#define COMMAND(function, name_, alias_, arguments_, text_, where_, help_) \
	{.name = name_, .alias = alias_, .arguments = ARGUMENTS_##arguments_, .argument_text = text_, .help = help_, \
		.where = WHERE_##where_, .run = command_##function},
#define LATER(name_)       {.name = name_, .argument_text = "", .help = "", .where = WHERE_LATER},
#define LATER_WHOLE(name_) {.name = name_, .argument_text = "", .help = "", .where = WHERE_LATER_WHOLE},
#include "commands.def"
};
/* clang-format on */
const unsigned command_count = sizeof commands / sizeof *commands;

static bool later(const struct command *command)
{
	return command->where == WHERE_LATER || command->where == WHERE_LATER_WHOLE;
}

/* Whether the word is the beginning of the name, and the command may be abbreviated. */
static bool begins(const struct command *command, const char *name, const char *word)
{
	bool whole = command->where == WHERE_HIDDEN || command->where == WHERE_WHOLE ||
		     command->where == WHERE_LATER_WHOLE || command->section;
	return name && !whole && !strncasecmp(name, word, strlen(word));
}

static void say_ambiguous(const char *word, struct error *error)
{
	error_set(error, "Ambiguous command: %s:", word);
	for (unsigned i = 0; i < command_count; i++) {
		const char *names[] = {commands[i].name, commands[i].alias};
		for (unsigned n = 0; n < 2; n++) {
			size_t used = strlen(error->text);
			if (begins(&commands[i], names[n], word))
				snprintf(error->text + used, sizeof error->text - used, " %s", names[n]);
		}
	}
}

const struct command *command_find(const char *word, struct error *error)
{
	const struct command *found = 0;
	bool ambiguous = false;
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		if (command->section)
			continue;
		if (!strcasecmp(command->name, word) || (command->alias && !strcasecmp(command->alias, word)))
			return command;
		if (begins(command, command->name, word) || begins(command, command->alias, word)) {
			ambiguous |= found != 0;
			found = command;
		}
	}
	if (!found || !*word) {
		error_set(error, "Invalid command: %s", word);
		return 0;
	}
	if (ambiguous)
		say_ambiguous(word, error);
	return ambiguous ? 0 : found;
}

static const unsigned most_arguments[] = {[ARGUMENTS_NONE] = 0,
	[ARGUMENTS_TEXT] = 1,
	[ARGUMENTS_NUMBER] = 1,
	[ARGUMENTS_NAME] = 2,
	[ARGUMENTS_PAIR] = 2,
	[ARGUMENTS_EXPRESSION] = 1,
	[ARGUMENTS_DEFINITION] = 2};

/* The last argument is an expression whose blanks have parted it: no part of it may be lost. */
static bool run_joined(
	struct session *session, const struct command *command, unsigned most, unsigned argc, char **argv)
{
	size_t size = 1, length = 0;
	for (unsigned i = most - 1; i < argc; i++)
		size += strlen(argv[i]) + 1;
	char *joined = memory_new(size, 1);
	for (unsigned i = most - 1; i < argc; i++)
		length += (size_t)snprintf(joined + length, size - length, "%s%s", i == most - 1 ? "" : " ", argv[i]);
	argv[most - 1] = joined;
	bool done = command_run(session, command, most, argv);
	free(joined);
	return done;
}

bool command_run(struct session *session, const struct command *command, unsigned argc, char **argv)
{
	unsigned most = most_arguments[command->arguments];
	if (later(command))
		return session_error(session, "The command %s is not available in this version", command->name);
	if (command->where == WHERE_RC_ONLY && !session->quiet)
		return session_error(session, "The command %s stands in .er.rc only", command->name);
	if (command->arguments == ARGUMENTS_NAME && !argc)
		return session_error(session, "Invalid argument to command: %s %s: the name is missing", command->name,
			command->argument_text);
	bool expression = command->arguments == ARGUMENTS_EXPRESSION || command->arguments == ARGUMENTS_DEFINITION;
	if (expression && argc > most)
		return run_joined(session, command, most, argc, argv);
	if (argc > most) {
		fprintf(stderr, "Warning: extra arguments to %s are ignored: %s\n", command->name, argv[most]);
		argc = most;
	}
	/* .er.rc is read before there is data. */
	if (!session->quiet && command->run != command_help && command->run != command_quit &&
		command->run != command_version && command->run != command_script)
		session_choose_defaults(session);
	return command->run(session, argc, argv);
}

void commands_print_help(FILE *file)
{
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		if (command->section && i + 1 < command_count && later(&commands[i + 1]))
			break;
		if (command->section) {
			fprintf(file, "%s%s:\n", i ? "\n" : "", command->section);
			continue;
		}
		if (command->where == WHERE_HIDDEN)
			continue;
		char usage[128];
		snprintf(usage, sizeof usage, "%s%s%s%s %s", command->name, command->alias ? " (" : "",
			command->alias ? command->alias : "", command->alias ? ")" : "", command->argument_text);
		fprintf(file, "  %-46s %s\n", usage, command->help);
	}
}
