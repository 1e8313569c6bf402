/* SPDX-License-Identifier: Apache-2.0 */
/* How an experiment is named and where it goes: -o, -d, -g. Nothing is created here. */
#ifndef EXPERIMENT_NAME_H
#define EXPERIMENT_NAME_H

#include "error.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DIRECTORY/STEM.NUMBER.er, or DIRECTORY/STEM.er where number is 0. */
struct experiment_name {
	char directory[PATH_MAX]; /* where it goes, as the user wrote it; "" is the current directory */
	char stem[NAME_MAX - 24]; /* leaves room for ".NUMBER.er" */
	uint64_t number;
	bool chosen;           /* the number is ours to choose: no -o was given */
	bool unused_directory; /* -d did not matter, because -o is an absolute path */
};

/* From the values of -o, -d and -g, each of which may be 0; -g was accepted by group_path(). Checks that the
   directory exists and can be written to. */
bool experiment_name_parse(struct experiment_name *name, const char *output, const char *directory, const char *group,
	struct error *error);

/* Moves to the first number above all that are in use in the directory, if the name is in use or ours to choose.
   False if it is in use and has no number. *changed: a name that the user gave was moved. */
bool experiment_name_next_free(struct experiment_name *name, bool *changed, struct error *error);

/* The path as the user sees it. */
void experiment_name_path(const struct experiment_name *name, char *path, size_t size);
/* The last component of it. */
void experiment_name_base(const struct experiment_name *name, char *base, size_t size);

/* Splits "STEM.NUMBER.er" into stem length and number; 0 if `base` is not of that form. */
uint64_t experiment_number(const char *base, size_t *stem_size);

/* The path of the group file of -g under -d. False if it does not end in ".erg". */
bool group_path(const char *group, const char *directory, char *path, size_t size, struct error *error);

#endif
