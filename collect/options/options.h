/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of collect as values. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "counter_request.h"
#include "error.h"
#include "mpi_family.h"
#include "settings.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMMENTS_MAX 10

enum archive_mode {
	ARCHIVE_OFF = SETTING_VALUE(archive, off),
	ARCHIVE_OBJECTS = SETTING_VALUE(archive, on),
	ARCHIVE_SOURCES = SETTING_VALUE(archive, src),
	ARCHIVE_USED_SOURCES = SETTING_VALUE(archive, usedsrc)
};

struct options {
	struct settings settings;               /* what is asked for of them; the others have their defaults */
	char clock_note[256];                   /* what had to be changed of -p, or "" */
	bool clock_chosen;                      /* by -p */
	struct counter_requests counters;       /* -h */
	bool list_counters;                     /* -h alone */
	bool mpi_launcher;                      /* -M: the target is an mpirun */
	enum mpi_family mpi_family;             /* of which MPI it is to be */
	const char *output, *directory, *group; /* -o (or -O NAME.er), -d, -g; 0: not given */
	const char *overwritten;                /* -O NAME.er: output, which may be there already; 0: not so */
	const char *file;                       /* -O FILE; 0: not given */
	const char *comments[COMMENTS_MAX];
	unsigned comment_count;
	bool for_debugger; /* -x */
	bool dry_run, verbose, version, help;
	bool refused;  /* on failure: the option is known and not supported, which no usage message helps */
	char **target; /* argv of the target, ends with 0; 0: none was given */
};

/* The file of -O wherever it stands on the command line, or 0: errors of other options go to that file too. */
const char *options_find_file(char **argv);

/* Reads the command line. The strings stay argv's. */
bool options_parse(char **argv, struct options *options, struct error *error);

/* One option of the table, for the usage message; 0 at the end. */
struct option_row {
	char letter;
	const char *argument, *help;
};
const struct option_row *options_row(size_t index);

#endif
