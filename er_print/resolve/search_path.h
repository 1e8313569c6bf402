/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files that an experiment names are looked for: folders, and prefixes of names that stand for others. */
#ifndef SEARCH_PATH_H
#define SEARCH_PATH_H

#include "data.h"

#define SEARCH_EXPERIMENTS "$expts" /* an entry: the folders of the founder experiments, in load order; short "$" */

struct search_path {
	char **entries;
	unsigned entry_count;
	bool chosen; /* the user's; else what stands there by default, which comes after the recorded name */
	struct search_map {
		char *from, *to;
	} * maps;
	unsigned map_count;
};
/* The default: $expts and the working directory. */
void search_path_create(struct search_path *path);
void search_path_free(struct search_path *path);
/* Adds the entries of a list that colons part ("\:" is a colon in a name), in place of all others if `replace`. */
void search_path_add(struct search_path *path, const char *list, bool replace);
void search_path_map(struct search_path *path, const char *from, const char *to);

/* Calls try() with the names under which the file that was recorded as `name` may be found, in order, until it returns true:
   the recorded one among them only if `recorded`. Names that do not exist are left out. False if none was taken.

   An entry is tried with all of the recorded name behind it, then with less and less of its beginning. */
typedef bool search_try(void *context, const char *candidate);
bool search_path_find(const struct search_path *path, const struct data *data, const char *name, bool recorded,
	search_try *try, void *context);

#endif
