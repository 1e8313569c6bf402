/* SPDX-License-Identifier: Apache-2.0 */
/* Creating the founder experiment: the directory and everything in it that is known before the target runs. */
#ifndef CREATE_H
#define CREATE_H

#include "error.h"
#include "event_file.h"
#include "experiment_name.h"
#include "options.h"
#include "settings.h"
#include <limits.h>
#include <stdbool.h>

struct created {
	char path[PATH_MAX]; /* as the user sees it */
	char base[NAME_MAX + 1];
	struct settings settings;
	struct time_triple start;
	struct experiment_directory directory;
	uint32_t waking_event;  /* the kernel's number of its tracepoint of wakeups; 0: it is not recorded */
	uint64_t device, inode; /* of the directory, so that only what we made is removed */
};

/* The settings that the options ask for, without the founder's path. */
void create_settings(const struct options *options, const char *library, struct settings *settings);

/* Makes the directory (mkdir decides a race: a numbered name moves on; with -O NAME.er what was there goes) and its files.
   Nothing is left on failure. */
bool create_experiment(const struct options *options, struct experiment_name *name, const struct settings *settings,
	struct created *created, struct error *error);

/* As create_experiment(), with just that name: if it is there already, *there is set and nothing is done; that is no failure. */
bool create_experiment_named(const struct options *options, struct experiment_name *name,
	const struct settings *settings, struct created *created, bool *there, struct error *error);

/* Removes the experiment again: the target never ran. */
void create_undo(const struct created *created);

#endif
