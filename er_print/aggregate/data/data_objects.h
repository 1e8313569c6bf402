/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The owners of data addresses: variables, members of their types, allocations by where they were made, stacks. Each has a
   number, the same as long as the data is. */
#ifndef DATA_OBJECTS_H
#define DATA_OBJECTS_H

#include "resolver.h"

enum data_object_class {
	DATA_NO_ADDRESS, /* number 0: the event has no data address */
	DATA_UNKNOWN,    /* number 1: none of the others: memory whose allocation was not traced */
	DATA_KERNEL,     /* number 2: the kernel's */
	DATA_STACK,      /* number 3: a thread's stack */
	DATA_COLLECTOR,  /* number 4: a variable of the collector's library */
	DATA_VARIABLE,   /* by load object and start, and as a number of its own each member of it that was accessed */
	DATA_NAMELESS,   /* by load object: of it, but no symbol says what */
	DATA_BLOCK,      /* by the source line that allocated it */
	DATA_CLASSES
};
struct data_object {
	enum data_object_class class;
	uint32_t object;                      /* load object */
	const struct data_variable *variable; /* 0: it is none */
	uint32_t member;                      /* of the variable's; NO_MEMBER: it is all of it */
	uint32_t whole;                       /* the number of what it is a member of; its own if it is none */
	uint32_t line;                        /* of blocks: the resolver's line, whose function allocated them */
};
struct data_objects;

/* Finds what every overflow event with a data address accessed: by the heap events of its process, its load objects and its
   threads' stacks, in this order. */
struct data_objects *data_objects_find(struct data *data, struct resolver *resolver);
void data_objects_free(struct data_objects *objects);
uint32_t data_objects_count(const struct data_objects *objects);
const struct data_object *data_objects_get(const struct data_objects *objects, uint32_t number);
/* The number of what an event accessed: of a member where the variable has any. */
uint32_t data_objects_at(
	const struct data_objects *objects, uint32_t experiment, uint64_t time, uint64_t counter, uint64_t address);

#endif
