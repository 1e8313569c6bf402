/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about where reports go, and in which form: outfile, appendfile, limit, printmode. */
#include "clean_output.h"
#include "command_functions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static FILE *open_output(const char *name, int mode)
{
	int descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0666);
	FILE *file = descriptor < 0 ? 0 : clean_output_open(descriptor, true);
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

static bool show_output(struct session *session)
{
	fprintf(session_said(session), "Output: %s\n",
		session->out_name        ? session->out_name
		: session->out == stderr ? "--"
					 : "-");
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

bool command_limit(struct session *session, unsigned argc, char **argv)
{
	if (argc) {
		char *end;
		errno = 0;
		unsigned long limit = strtoul(argv[0], &end, 10);
		if (*end || end == argv[0] || *argv[0] == '-' || errno)
			return session_error(session,
				"Invalid argument to command: limit %s: it must be a number, 0 for all rows", argv[0]);
		session->limit = limit;
		session->limit_given = true;
	}
	fflush(session->out);
	if (argc && !session->quiet)
		fprintf(stderr, "Print limit set to %lu\n", session->limit);
	else if (!argc)
		fprintf(session_said(session), "Print limit: %lu\n", session->limit);
	return true;
}

static const struct {
	const char *name;
	enum print_mode mode;
} print_modes[] = {{"text", PRINT_TEXT}, {"html", PRINT_HTML}, {"csv", PRINT_CSV}, {"json", PRINT_JSON}};
enum { PRINT_MODES = sizeof print_modes / sizeof *print_modes };

static bool show_print_mode(struct session *session)
{
	const char *name = (char[]){session->delimiter, 0};
	for (unsigned i = 0; i < PRINT_MODES; i++)
		if (print_modes[i].mode == session->print_mode)
			name = print_modes[i].name;
	fprintf(session_said(session), "Print mode: %s\n", name);
	return true;
}

bool command_printmode(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		return show_print_mode(session);
	for (unsigned i = 0; i < PRINT_MODES; i++)
		if (!strcasecmp(argv[0], print_modes[i].name)) {
			session->print_mode = print_modes[i].mode;
			return true;
		}
	if (strlen(argv[0]) != 1 || argv[0][0] == '"' || argv[0][0] == '\n')
		return session_error(session,
			"Invalid argument to command: printmode %s: it must be text, html, csv, json or one character "
			"that "
			"delimits fields",
			argv[0]);
	session->print_mode = PRINT_DELIMITED;
	session->delimiter = argv[0][0];
	clean_output_allow(session->delimiter);
	return true;
}
