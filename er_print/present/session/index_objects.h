/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index objects: expressions with a name, by whose values metrics are listed; also words of other expressions. Those over data
   addresses are called memory objects. */
#ifndef INDEX_OBJECTS_H
#define INDEX_OBJECTS_H

#include "error.h"
#include "table.h"
#include <stdbool.h>
#include <stdint.h>

struct session;

enum index_row {
	INDEX_THREAD,
	INDEX_CPU,
	INDEX_SAMPLE,
	INDEX_SECOND,
	INDEX_PROCESS,
	INDEX_EXPERIMENT,
	INDEX_LOCK,
	INDEX_DURATION,
	INDEX_RANK,
	INDEX_DATASIZE,
	INDEX_MESSAGE_SIZE,
	INDEX_NUMBER,
	INDEX_ADDRESS,
	INDEX_HEXADECIMAL
};
struct index_object {
	char *name, *text;
	enum index_row row;
	bool memory; /* a memory object */
};
struct index_objects {
	struct index_object *objects;
	unsigned count;
};
/* The predefined ones. */
void index_objects_create(struct index_objects *objects);
void index_objects_free(struct index_objects *objects);
/* The object of this name in any case, or 0. */
const struct index_object *index_object_find(const struct index_objects *objects, const char *name);
/* Adds one. False and *error if the name or the expression is not good, or the name is taken. */
bool index_object_define(
	struct index_objects *objects, const char *name, const char *text, bool memory, struct error *error);
/* As expression.h's expression_definition; the context is the struct index_objects. */
const char *index_object_text(const void *context, const char *name);
/* The name of a value's row, a text of the table: "Process 1, Thread 1". */
const char *index_object_row(struct session *session, struct table *table, enum index_row row, int64_t value);

#endif
