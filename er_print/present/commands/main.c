/* SPDX-License-Identifier: GPL-3.0-or-later */
/* er_print: commands and experiments of the command line, in order; without a command the prompt. */
#include "clean_output.h"
#include "commands.h"
#include "cores.h"
#include "damage_warning.h"
#include "index_objects.h"
#include "interruption.h"
#include "program.h"
#include "progress.h"
#include "rc_files.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define USAGE "usage: er_print [-script file | -command [arguments] | - | -V | -h] experiment..."

enum { EXIT_EXPERIMENT = 1, EXIT_COMMAND = 2, EXIT_SCRIPT = 3 };

struct request {
	const struct command *command; /* 0: commands from standard input ("-") */
	unsigned argc;
	char **argv;
};
struct arguments {
	struct request *requests;
	char **names; /* by request: of an index object that an earlier one defines */
	unsigned request_count;
	struct named {
		char *path;
		bool imported; /* named by -import */
	} * experiments;
	unsigned experiment_count;
	struct session *session;
};

static int fail(int status, const char *text)
{
	fflush(stdout);
	fprintf(stderr, "Error: %s\n", text);
	return status;
}

static bool is_named_as_experiment(const char *word)
{
	size_t length = strlen(word);
	while (length && word[length - 1] == '/')
		length--;
	return (length > 3 && !strncmp(word + length - 3, ".er", 3)) ||
	       (length > 4 && !strncmp(word + length - 4, ".erg", 4));
}

static bool is_experiment(const char *word)
{
	struct stat status;
	return is_named_as_experiment(word) || (!stat(word, &status) && S_ISDIR(status.st_mode));
}

static bool is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* How many of the words after a command are its arguments: what may be missing is taken only if it looks like one. */
static unsigned count_arguments(const struct command *command, char **words, unsigned left)
{
	switch (command->arguments) {
	case ARGUMENTS_NONE:
		return 0;
	case ARGUMENTS_TEXT:
	case ARGUMENTS_SIGNED:
	case ARGUMENTS_EXPRESSION:
		return left ? 1 : 0;
	case ARGUMENTS_OPTIONAL:
		return left && words[0][0] != '-' && !is_experiment(words[0]);
	case ARGUMENTS_FOLDERS:
		return left && words[0][0] != '-' && !is_named_as_experiment(words[0]);
	case ARGUMENTS_PAIR:
	case ARGUMENTS_DEFINITION:
		return left > 1 ? 2 : 0;
	case ARGUMENTS_NAMED_FILE:
		return left > 1 ? 2 + (left > 2 && is_number(words[2]) && !is_experiment(words[2])) : 0;
	case ARGUMENTS_NAME:
		return left ? 1 + (left > 1 && is_number(words[1]) && !is_experiment(words[1])) : 0;
	}
	return 0;
}

/* The session with what .er.rc asks for; made when first needed. */
static struct session *settled_session(struct arguments *arguments)
{
	if (!arguments->session) {
		arguments->session = session_create();
		rc_read_all(arguments->session);
	}
	return arguments->session;
}

/* Whether .er.rc or a command before this one defines an index object of the name. */
static bool is_defined(struct arguments *arguments, const char *name)
{
	if (index_object_find(&settled_session(arguments)->index_objects, name))
		return true;
	for (unsigned i = 0; i + 1 < arguments->request_count; i++) {
		const struct request *request = &arguments->requests[i];
		if (request->command &&
			(request->command->run == command_indxobj_define ||
				request->command->run == command_mobj_define) &&
			request->argc && !strcasecmp(request->argv[0], name))
			return true;
	}
	return false;
}

static int add_request(struct arguments *arguments, char **words, unsigned left, unsigned *used)
{
	struct error error;
	const char *word = words[0];
	struct request *request = &arguments->requests[arguments->request_count++];
	*used = 1;
	if (!strcmp(word, "-")) {
		*request = (struct request){0};
		return 0;
	}
	/* -V and -h are no commands: "v" and "h" alone would be ambiguous. */
	const char *name = !strcmp(word, "-V") ? "version" : !strcmp(word, "-h") ? "help" : word + 1 + (word[1] == '-');
	const struct command *command = command_find(name, &error);
	if (!command && is_defined(arguments, name)) {
		struct error ignored;
		arguments->names[arguments->request_count - 1] = (char *)name;
		*request = (struct request){
			command_find("indxobj", &ignored), 1, &arguments->names[arguments->request_count - 1]};
		return 0;
	}
	if (!command) {
		char text[sizeof error.text + 8];
		char *colon = strstr(error.text, ": ");
		snprintf(text, sizeof text, "%.*s: -%s", (int)(colon - error.text), error.text, colon + 2);
		return fail(EXIT_COMMAND, text);
	}
	unsigned argc = count_arguments(command, words + 1, left - 1);
	const char *dash = command_dash(command, argc, words + 1);
	bool needs = command->arguments != ARGUMENTS_NONE && command->arguments != ARGUMENTS_OPTIONAL &&
		     command->arguments != ARGUMENTS_FOLDERS;
	*request = (struct request){command, argc, words + 1};
	*used += argc;
	if (command->where == WHERE_RC_ONLY || command->where == WHERE_NOT_ARGUMENT) {
		error_set(&error, "command -%s can not appear on the command line", command->name);
		return fail(EXIT_COMMAND, error.text);
	}
	if (needs && !argc) {
		error_set(&error, "Command -%s needs an argument: %s", command->name, command->argument_text);
		return fail(EXIT_COMMAND, error.text);
	}
	if (dash) {
		error_set(&error, "Command -%s needs an argument: %s; %s begins with a dash", command->name,
			command->argument_text, dash);
		return fail(EXIT_COMMAND, error.text);
	}
	if (!command->run) {
		error_set(&error, "The command -%s is not available in this version: %s", command->name, command->help);
		return fail(EXIT_COMMAND, error.text);
	}
	if (command->run == command_import) {
		arguments->request_count--;
		arguments->experiments[arguments->experiment_count++] = (struct named){words[1], true};
	}
	return 0;
}

static int read_arguments(struct arguments *arguments, unsigned argc, char **argv)
{
	arguments->requests = memory_new(argc, sizeof *arguments->requests);
	arguments->names = memory_new(argc, sizeof *arguments->names);
	arguments->experiments = memory_new(argc, sizeof *arguments->experiments);
	for (unsigned i = 0; i < argc;) {
		unsigned used = 1;
		if (argv[i][0] != '-') {
			arguments->experiments[arguments->experiment_count++] = (struct named){argv[i], false};
		} else {
			int status = add_request(arguments, argv + i, argc - i, &used);
			if (status)
				return status;
		}
		i += used;
	}
	return 0;
}

static void print_usage(void)
{
	printf(USAGE "\n\n"
		     "Each command is an argument with a dash before it, and may be abbreviated. Without a command "
		     "er_print asks for\n"
		     "them; \"-\" reads them from standard input. The manual is er_print(1).\n\n");
	commands_print_help(stdout);
}

/* -V, -version, -h and -help need no experiment. */
static bool run_without_data(const struct arguments *arguments, int *status)
{
	struct error error;
	bool all = arguments->request_count > 0;
	for (unsigned i = 0; i < arguments->request_count; i++) {
		const struct command *command = arguments->requests[i].command;
		all &= command && (command->run == command_version || command->run == command_help);
	}
	for (unsigned i = 0; all && i < arguments->request_count; i++) {
		const struct request *request = &arguments->requests[i];
		if (request->command->run == command_version)
			printf("%s\n", PROGRAM_VERSION);
		else if (!request->argc)
			print_usage();
		else if (!command_print_help(stdout, request->argv[0], &error))
			*status = fail(EXIT_COMMAND, error.text);
	}
	return all;
}

/* Experiments are loaded before commands run; the first that speaks of cores holds for that. */
static void choose_cores(const struct arguments *arguments)
{
	for (unsigned i = 0; i < arguments->request_count; i++) {
		const struct request *request = &arguments->requests[i];
		if (request->command && request->command->run == command_use_cores && request->argc) {
			cores_set_text(request->argv[0]);
			return;
		}
	}
}

static int load(struct session *session, const struct arguments *arguments)
{
	unsigned loaded = 0;
	if (!arguments->experiment_count)
		return fail(EXIT_EXPERIMENT, "Missing experiment directory; " USAGE
					     " (\"er_print -help\" lists the commands, the manual is er_print(1))");
	for (unsigned i = 0; i < arguments->experiment_count; i++) {
		struct error error = {""};
		const char *path = arguments->experiments[i].path;
		bool imported = arguments->experiments[i].imported;
		struct stat status;
		if (session_load(session, path, imported, &error)) {
			loaded++;
			continue;
		}
		if (!imported && stat(path, &status))
			fprintf(stderr, "%s: *** Error: experiment not found\n", path);
		else
			fprintf(stderr, "*** Error: %s\n", error.text);
		session->status = EXIT_EXPERIMENT;
	}
	return loaded ? 0 : fail(EXIT_EXPERIMENT, "No valid experiments loaded; exiting");
}

static int run(struct session *session, const struct arguments *arguments)
{
	for (unsigned i = 0; i < arguments->request_count; i++) {
		const struct request *request = &arguments->requests[i];
		session->output_taken |=
			request->command && command_takes_output(request->command, request->argc, request->argv);
	}
	for (unsigned i = 0; i < arguments->request_count && !session->quit; i++) {
		const struct request *request = &arguments->requests[i];
		session->on_command_line = true;
		if (!request->command) {
			script_run_input(session, false);
			continue;
		}
		bool done = command_run(session, request->command, request->argc, request->argv);
		if (!done && request->command->run == command_script)
			return EXIT_SCRIPT;
		fflush(stdout);
	}
	session->on_command_line = false;
	if (!arguments->request_count)
		script_run_input(session, true);
	return session->status;
}

static void free_arguments(struct arguments *arguments)
{
	if (arguments->session)
		session_destroy(arguments->session);
	free(arguments->requests);
	free(arguments->names);
	free(arguments->experiments);
}

int main(int argc, char **argv)
{
	struct arguments arguments = {0};
	clean_output_begin();
	interruption_begin();
	progress_begin();
	int status = read_arguments(&arguments, (unsigned)argc - (argc > 0), argv + (argc > 0));
	if (status || run_without_data(&arguments, &status)) {
		free_arguments(&arguments);
		return status;
	}
	struct session *session = settled_session(&arguments);
	choose_cores(&arguments);
	status = load(session, &arguments);
	if (!status)
		status = run(session, &arguments);
	if (damage_warning(session) && !status)
		status = EXIT_EXPERIMENT;
	if (fflush(session->out) || ferror(session->out) || ferror(stdout))
		status = fail(EXIT_EXPERIMENT, "the output could not be written");
	free_arguments(&arguments);
	return status;
}
