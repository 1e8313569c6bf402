/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands commands.def, finds commands by unambiguous prefixes, runs them. */
#include "commands.h"
#include "clean_output.h"
#include "group_reports.h"
#include "nearest.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
const struct command commands[] = {
#define SECTION(title) {.section = title},
#define COMMAND(function, name_, alias_, arguments_, text_, where_, help_) \
	{.name = name_, .alias = alias_, .arguments = ARGUMENTS_##arguments_, .argument_text = text_, .help = help_, \
		.where = WHERE_##where_, .run = command_##function},
#define LATER(name_, why)       {.name = name_, .argument_text = "", .help = why, .where = WHERE_LATER},
#define LATER_WHOLE(name_, why) {.name = name_, .argument_text = "", .help = why, .where = WHERE_LATER_WHOLE},
#include "commands.def"
};
static command_function *const uncompared[] = {
#define UNCOMPARED(function) command_##function,
#include "commands.def"
};
static command_function *const apart[] = {
#define JOINED(function) command_##function,
#include "commands.def"
};
/* clang-format on */
const unsigned command_count = sizeof commands / sizeof *commands;

bool command_is_later(const struct command *command)
{
	return command->where == WHERE_LATER || command->where == WHERE_LATER_WHOLE;
}

static bool is_one_of(command_function *const *functions, unsigned count, command_function *function)
{
	for (unsigned i = 0; i < count; i++)
		if (functions[i] == function)
			return true;
	return false;
}

/* A reason why a command cannot compare groups as they are to be compared now; 0: it can. */
static const char *not_compared(const struct session *session, const struct command *command)
{
	if (session_groups(session) == 1)
		return 0;
	if (is_one_of(uncompared, sizeof uncompared / sizeof *uncompared, command->run))
		return "adds all experiments up and does not compare them: say compare off before it";
	if (is_one_of(apart, sizeof apart / sizeof *apart, command->run) && comparison_is_scaled(&session->comparison))
		return "compares values as they were recorded: say compare without by= before it";
	return 0;
}

static bool call(struct session *session, const struct command *command, unsigned argc, char **argv)
{
	bool by_group = session_groups(session) > 1 && is_one_of(apart, sizeof apart / sizeof *apart, command->run);
	return by_group ? group_reports_run(session, command->run, argc, argv) : command->run(session, argc, argv);
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

static void say_unknown(const char *word, struct error *error)
{
	char text[256];
	struct nearest nearest;
	nearest_begin(&nearest, word);
	for (unsigned i = 0; i < command_count; i++) {
		if (!commands[i].section && commands[i].where != WHERE_HIDDEN && !command_is_later(&commands[i]))
			nearest_offer(&nearest, commands[i].name);
		if (commands[i].alias)
			nearest_offer(&nearest, commands[i].alias);
	}
	error_set(error, "Invalid command: %s%s", word, nearest_text(&nearest, text, sizeof text));
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
		say_unknown(word, error);
		return 0;
	}
	if (ambiguous)
		say_ambiguous(word, error);
	return ambiguous ? 0 : found;
}

static const unsigned most_arguments[] = {[ARGUMENTS_NONE] = 0,
	[ARGUMENTS_TEXT] = 1,
	[ARGUMENTS_SIGNED] = 1,
	[ARGUMENTS_OPTIONAL] = 1,
	[ARGUMENTS_FOLDERS] = 1,
	[ARGUMENTS_NAME] = 2,
	[ARGUMENTS_NAMED_FILE] = 3,
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

static bool may_be_signed(const struct command *command, const char *argument)
{
	switch (command->arguments) {
	case ARGUMENTS_SIGNED:
	case ARGUMENTS_EXPRESSION:
	case ARGUMENTS_DEFINITION:
		return true;
	case ARGUMENTS_NAME:
	case ARGUMENTS_NAMED_FILE:
		return argument[1] == '['; /* a method of Objective-C */
	default:
		return false;
	}
}

const char *command_dash(const struct command *command, unsigned argc, char **argv)
{
	for (unsigned i = 0; i < argc && i < most_arguments[command->arguments]; i++) {
		const char *argument = argv[i];
		bool is_listed = !strcmp(argument, "--") && strstr(command->argument_text, "--");
		if (argument[0] == '-' && argument[1] && !is_listed && !may_be_signed(command, argument))
			return argument;
	}
	return 0;
}

bool command_takes_output(const struct command *command, unsigned argc, char **argv)
{
	size_t length = strlen(command->argument_text);
	if (command->arguments == ARGUMENTS_NAMED_FILE)
		return argc > 1 && !strcmp(argv[1], "-");
	return length > 2 && !strcmp(command->argument_text + length - 2, "|-") && argc && !strcmp(argv[0], "-");
}

static bool changes_output(const struct command *command)
{
	return command->run == command_outfile || command->run == command_appendfile ||
	       command->run == command_script || command->run == command_printmode;
}

/* Runs a command; in text, a report is parted from what comes after it by an empty line. */
static bool run_parted(struct session *session, const struct command *command, unsigned argc, char **argv)
{
	session_part(session);
	session->said = false;
	uint64_t before = clean_output_count();
	bool done = call(session, command, argc, argv);
	fflush(session->out);
	session->reported = !session->said && clean_output_count() != before;
	return done;
}

/* Runs a command; in print modes with a form for all of a report, what it prints beside tables becomes a table of lines. */
static bool run(struct session *session, const struct command *command, unsigned argc, char **argv)
{
	char *text = 0;
	size_t size = 0;
	FILE *lines = session->print_mode == PRINT_TEXT || session->print_mode == PRINT_DELIMITED || session->tables ||
				      changes_output(command)
			      ? 0
			      : open_memstream(&text, &size);
	if (!lines)
		return run_parted(session, command, argc, argv);
	session->tables = session->out;
	session->out = lines;
	bool done = call(session, command, argc, argv);
	fclose(lines);
	session->out = session->tables;
	session->tables = 0;
	if (size)
		session_print_lines(session, command->name, text);
	free(text);
	return done;
}

bool command_run(struct session *session, const struct command *command, unsigned argc, char **argv)
{
	unsigned most = most_arguments[command->arguments];
	const char *dash = command_dash(command, argc, argv);
	if (command_is_later(command))
		return session_error(
			session, "The command %s is not available in this version: %s", command->name, command->help);
	if (command->where == WHERE_RC_ONLY && !session->quiet)
		return session_error(session, "The command %s stands in .er.rc only", command->name);
	if (command->arguments == ARGUMENTS_NAME && !argc)
		return session_error(session, "Invalid argument to command: %s %s: the name is missing", command->name,
			command->argument_text);
	if (dash)
		return session_error(
			session, "Invalid argument to command: %s %s: it begins with a dash", command->name, dash);
	const char *why = not_compared(session, command);
	if (why)
		return session_error(session, "The command %s %s", command->name, why);
	bool expression = command->arguments == ARGUMENTS_EXPRESSION || command->arguments == ARGUMENTS_DEFINITION;
	if (expression && argc > most)
		return run_joined(session, command, most, argc, argv);
	if (argc > most) {
		session_warning(session, "extra arguments to %s are ignored: %s", command->name, argv[most]);
		argc = most;
	}
	/* .er.rc is read before there is data. */
	if (!session->quiet && command->run != command_help && command->run != command_quit &&
		command->run != command_version && command->run != command_script)
		session_choose_defaults(session);
	progress_begin();
	const char *outer = session->command;
	session->command = command->name;
	bool done = run(session, command, argc, argv);
	session->command = outer;
	return done;
}
