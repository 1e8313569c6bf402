/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and reads .er.rc files; the commands that only they may have. */
#include "rc_files.h"
#include "command_functions.h"
#include "script.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *first, const char *second)
{
	char *text;
	if (!first || !second)
		return first || second ? strdup(first ? first : second) : 0;
	return asprintf(&text, "%s:%s", first, second) < 0 ? 0 : text;
}

static void put_before(char **all, char **file)
{
	char *text = joined(*file, *all);
	free(*all);
	free(*file);
	*all = text;
	*file = 0;
}

static void append(char **text, const char *more)
{
	char *longer = joined(*text, more);
	free(*text);
	*text = longer;
}

/* Says why a file of settings is not trusted: somebody else could have written it. 0: it is. */
static const char *distrusted(const struct stat *status)
{
	return !S_ISREG(status->st_mode)                            ? "it is not a regular file"
	       : status->st_uid != 0 && status->st_uid != geteuid() ? "it belongs to another user"
	       : status->st_mode & (S_IWGRP | S_IWOTH)              ? "others may write it (chmod go-w makes it good)"
								    : 0;
}

/* Reads one file, unless it is the one that was read last (the working directory may be the home). Whoever installed the
   program's own file could change the program as well. */
static void read_file(struct session *session, const char *path, bool of_program, struct stat *last)
{
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO must not block */
	FILE *file = descriptor < 0 ? 0 : fdopen(descriptor, "r");
	if (!file)
		return;
	bool again = fstat(descriptor, &status) || (status.st_dev == last->st_dev && status.st_ino == last->st_ino);
	const char *reason = again || (of_program && S_ISREG(status.st_mode)) ? 0 : distrusted(&status);
	if (reason)
		fprintf(stderr, "Warning: %s is left out: %s\n", path, reason);
	if (!again && !reason) {
		*last = status;
		script_run_rc(session, file, path);
		put_before(&session->rc.default_metrics, &session->rc.file_metrics);
		put_before(&session->rc.default_sort, &session->rc.file_sort);
	}
	fclose(file);
}

void rc_read_all(struct session *session)
{
	char program[4096], path[4096 + 64];
	struct stat last = {0};
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	char *slash = length > 0 ? (program[length] = 0, strrchr(program, '/')) : 0;
	if (slash) {
		*slash = 0;
		snprintf(path, sizeof path, "%s/../lib/er-tools/er.rc", program);
		if (access(path, F_OK))
			snprintf(path, sizeof path, "%s/../lib/er.rc", program);
		read_file(session, path, true, &last);
	}
	const char *home = getenv("HOME");
	if (home && *home) {
		snprintf(path, sizeof path, "%.4096s/.er.rc", home);
		read_file(session, path, false, &last);
	}
	read_file(session, ".er.rc", false, &last);
}

bool command_dmetrics(struct session *session, unsigned argc, char **argv)
{
	if (argc)
		append(&session->rc.file_metrics, argv[0]);
	return true;
}

bool command_dsort(struct session *session, unsigned argc, char **argv)
{
	if (argc)
		append(&session->rc.file_sort, argv[0]);
	return true;
}

bool command_en_desc(struct session *session, unsigned argc, char **argv)
{
	struct rc_settings *settings = &session->rc;
	const char *text = argc ? argv[0] : "on";
	regex_t pattern;
	if (*text == '=') {
		char *whole;
		if (asprintf(&whole, "^(%s)$", text + 1) < 0)
			return false;
		int code = strpbrk(text, "{}") ? REG_BADBR : regcomp(&pattern, whole, REG_EXTENDED | REG_NOSUB);
		free(whole);
		if (code)
			return session_error(session, "en_desc %s: not a regular expression", text);
	} else if (strcasecmp(text, "on") != 0 && strcasecmp(text, "off") != 0) {
		return session_error(session, "en_desc %s: it must be on, off or =regex", text);
	}
	if (settings->descendants == DESCENDANTS_MATCHING)
		regfree(&settings->pattern);
	settings->descendants = *text == '='              ? DESCENDANTS_MATCHING
				: !strcasecmp(text, "on") ? DESCENDANTS_ALL
							  : DESCENDANTS_NONE;
	if (*text == '=')
		settings->pattern = pattern;
	return true;
}

bool command_ignored(struct session *session, unsigned argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	return true;
}
