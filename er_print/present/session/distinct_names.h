/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling functions of one name apart: by their load object, source file and line, build or address. */
#ifndef DISTINCT_NAMES_H
#define DISTINCT_NAMES_H

#include <stdint.h>

struct path_tree;
struct session;

/* Zero-initialised: no names are shared. */
struct distinct_names {
	struct distinct_name {
		uint32_t function;
		char *text;
	} * shared; /* ascending by function */
	uint32_t count;
};

/* For different functions, by the names that the session shows them under. */
struct distinct_names distinct_names_find(const struct session *session, const uint32_t *functions, uint32_t count);
/* For the functions of a tree; with `function_of`, a frame at one of the first `address_count` addresses is of the function that
   this has for the address. */
struct distinct_names distinct_names_of_tree(const struct session *session, const struct path_tree *tree,
	const uint32_t *function_of, uint32_t address_count);
void distinct_names_free(struct distinct_names *names);

/* The text that tells the function from the others, as "<libfoo.so>", "a.c:12" or "0x1234"; 0: its name does. */
const char *distinct_name(const struct distinct_names *names, uint32_t function);

#endif
