/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds of one program or library: which load objects are that, and which of their functions are one function. */
#ifndef BUILDS_H
#define BUILDS_H

#include "data.h"
#include "functions.h"
#include "id_table.h"
#include <stdbool.h>
#include <stdint.h>

struct resolver;

/* Zero-initialised is empty. */
struct builds {
	bool apart;         /* each build is shown by itself */
	uint32_t *group_of; /* by load object: the first one of its builds; itself if there is no other */
	uint32_t *size_of;  /* by first one: how many there are */
	uint32_t object_count;
	uint32_t *shown_as; /* by function: the first that it is one with; NO_ID: not asked yet */
	uint32_t *next;     /* by function: another one that is shown as the same; NO_ID: none */
	uint32_t function_count;
	struct id_table by_name; /* of first ones */
};

/* Sorts the load objects into builds. Those of one name are builds of one thing, unless a run (a founder with its
   descendants) has two of that name at different paths: then those of one path are. */
void builds_find(struct builds *builds, const struct data *data);
void builds_free(struct builds *builds);

/* The function that a function is shown as: the first that was met of those with its name and source file in builds of its
   load object. A function whose name stands twice in one build, or that has none, is by itself. */
uint32_t builds_function(struct resolver *resolver, uint32_t function);

#endif
