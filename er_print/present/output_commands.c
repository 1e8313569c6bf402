/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about where reports go, and about the session itself. */
#include "clean_output.h"
#include "commands.h"
#include "equations.h"
#include "program.h"
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_output(const char *name, int mode)
{
	int descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0666);
	FILE *file = descriptor < 0 ? 0 : clean_output_open(descriptor);
	if (descriptor >= 0 && !file)
		close(descriptor);
	return file;
}

static bool set_output(struct session *session, const char *name, int mode)
{
	FILE *file = !strcmp(name, "-") ? stdout : !strcmp(name, "--") ? stderr : open_output(name, mode);
	if (!file)
		return session_error(session, "Unable to open file: %s: %s", name, strerror(errno));
	fflush(session->out);
	if (session->out_name)
		fclose(session->out);
	free(session->out_name);
	session->out = file;
	session->out_name = file == stdout || file == stderr ? 0 : strdup(name);
	return true;
}

static bool show_output(const struct session *session)
{
	printf("Output: %s\n", session->out_name ? session->out_name : session->out == stderr ? "--" : "-");
	return true;
}

bool command_outfile(struct session *session, unsigned argc, char **argv)
{
	return argc ? set_output(session, argv[0], O_TRUNC) : show_output(session);
}

bool command_appendfile(struct session *session, unsigned argc, char **argv)
{
	return argc ? set_output(session, argv[0], O_APPEND) : show_output(session);
}

bool command_help(struct session *session, unsigned argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
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
