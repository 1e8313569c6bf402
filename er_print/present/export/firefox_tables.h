/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a profile for the Firefox Profiler that all its threads share: stacks, frames, functions, load objects, sources,
   texts. A stack is a node of the tree of call paths, and has the node's number less one: <Total> is none. */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

#include "number_map.h"
#include "profile_export.h"

struct firefox_tables {
	struct profile_export *export;
	struct strings strings; /* numbers are the profile's */
	uint32_t *frame_of;     /* by node */
	struct firefox_frame {
		uint32_t function, line; /* line: 0: not known */
		bool kernel;
	} * frames;
	uint32_t frame_count;
	uint32_t *functions, *function_of; /* the resolver's by the profile's, and back (NO_NUMBER: none) */
	uint32_t function_count;
	uint32_t *objects, *object_of; /* likewise, of load objects with functions */
	uint32_t object_count;
	uint32_t *sources, *source_of; /* likewise, of source files */
	uint32_t source_count;
};
/* Categories of frames and markers: places in what firefox_categories_print prints. */
enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_IO, CATEGORY_WAIT, CATEGORY_MPI };
void firefox_categories_print(FILE *file);

void firefox_tables_make(struct firefox_tables *tables, struct profile_export *export);
void firefox_tables_free(struct firefox_tables *tables);
uint32_t firefox_string(struct firefox_tables *tables, const char *text);
/* Write the lists "libs" and "shared". The latter has all strings: nothing may be added after it. */
void firefox_libraries_print(struct firefox_tables *tables, FILE *file);
void firefox_shared_print(struct firefox_tables *tables, FILE *file);

#endif
