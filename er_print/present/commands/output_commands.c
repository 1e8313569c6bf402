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
	}
	fflush(session->out);
	if (argc && !session->quiet)
		fprintf(stderr, "Print limit set to %lu\n", session->limit);
	else if (!argc)
		printf("Print limit: %lu\n", session->limit);
	return true;
}

bool command_printmode(struct session *session, unsigned argc, char **argv)
{
	if (!argc)
		printf("Print mode: %s\n", session->print_mode == PRINT_TEXT   ? "text"
					   : session->print_mode == PRINT_HTML ? "html"
									       : (char[]){session->delimiter, 0});
	else if (!strcasecmp(argv[0], "text"))
		session->print_mode = PRINT_TEXT;
	else if (!strcasecmp(argv[0], "html"))
		session->print_mode = PRINT_HTML;
	else if (strlen(argv[0]) == 1 && argv[0][0] != '"' && argv[0][0] != '\n') {
		session->print_mode = PRINT_DELIMITED;
		session->delimiter = argv[0][0];
		clean_output_allow(session->delimiter);
	} else {
		return session_error(session,
			"Invalid argument to command: printmode %s: it must be text, html or one character that "
			"delimits fields",
			argv[0]);
	}
	return true;
}
