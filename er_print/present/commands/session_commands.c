/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about the session itself: help, version, script, verify, quit. */
#include "commands.h"
#include "equations.h"
#include "program.h"
#include "script.h"

#include <inttypes.h>

bool command_help(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	if (argc)
		return command_print_help(stdout, argv[0], &error) || session_error(session, "%s", error.text);
	commands_print_help(stdout);
	return true;
}

bool command_version(struct session *session, unsigned argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	printf("%s\n", PROGRAM_VERSION);
	return true;
}

bool command_quit(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	session->quit = true;
	return true;
}

bool command_script(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return session_error(session, "Invalid argument to command: script: the file is missing");
	return script_run_file(session, argv[0]);
}

bool command_verify(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct stack_view view = session_view(session);
	struct equations equations = equations_check(session->resolver, session->data, session_sums(session), &view);
	fprintf(session->out, "%" PRIu64 " equations checked, %" PRIu64 " violated\n", equations.checked,
		equations.violated);
	return !equations.violated || session_error(session, "%s", equations.first);
}
