/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of a test's own, files made in it by shell commands, what a command prints. */
#ifndef MADE_H
#define MADE_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char made_folder[64];

/* Fixtures. */
static inline void made_begin(void)
{
	strcpy(made_folder, "/tmp/resolve-test.XXXXXX");
	ck_assert(mkdtemp(made_folder) && !chdir(made_folder));
}
static inline void made_end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", made_folder);
	ck_assert(!chdir("/") && !system(command));
}

/* Writes a file of the folder. */
static inline void made_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");
	ck_assert(file && fputs(text, file) >= 0 && !fclose(file));
}

/* Runs a command in the folder; it must succeed. */
static inline void made_by(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void made_by(const char *format, ...)
{
	char command[4096];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	ck_assert_msg(!system(command), "failed: %s", command);
}

/* The absolute path of a file of the folder; static storage. */
static inline const char *made_path(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", made_folder, name);
	return path;
}

/* The first word that a command prints, as a hexadecimal number. */
static inline uint64_t made_number(const char *command)
{
	unsigned long number = 0;
	FILE *output = popen(command, "r");
	ck_assert_msg(fscanf(output, "%lx", &number) == 1, "prints no number: %s", command);
	pclose(output);
	return number;
}

#endif
