/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of collect as values. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "counter_request.h"
#include "error.h"
#include "mpi_family.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMMENTS_MAX    10
#define STACK_DEPTH_MAX 65536

enum archive_mode { ARCHIVE_OFF, ARCHIVE_OBJECTS, ARCHIVE_SOURCES, ARCHIVE_USED_SOURCES };

struct options {
	uint64_t clock_interval;                                               /* nanoseconds, 0: off */
	char clock_note[256];                                                  /* what had to be changed of -p, or "" */
	enum sync_mode { SYNC_OFF, SYNC_FROM_THRESHOLD, SYNC_CALIBRATE } sync; /* -s; as the setting of that name */
	uint64_t sync_threshold;                                               /* nanoseconds; 0: all calls */
	bool clock_chosen;                                                     /* by -p */
	struct counter_requests counters;                                      /* -h */
	bool list_counters;                                                    /* -h alone */
	unsigned heap;                                                         /* -H; as the setting of that name */
	bool io;                                                               /* -i */
	bool follow;
	const char *follow_pattern;      /* 0: all */
	uint64_t from, until;            /* -t: nanoseconds after the start; until 0: the end */
	int pause_signal, sample_signal; /* -y, -l; 0: none */
	bool start_paused;
	uint64_t sample_interval; /* nanoseconds; 0: off */
	uint64_t size_limit;      /* bytes; 0: none */
	uint64_t stack_depth;     /* frames that are kept */
	enum archive_mode archive;
	bool mpi_launcher;                      /* -M: the target is an mpirun */
	enum mpi_family mpi_family;             /* of which MPI it is to be */
	bool mpi;                               /* MPI tracing */
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
