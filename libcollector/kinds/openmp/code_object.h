/* SPDX-License-Identifier: Apache-2.0 */
/* The load object that has some code. */
#ifndef CODE_OBJECT_H
#define CODE_OBJECT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct code_object {
	uintptr_t start, size; /* of the segment with the code; in a fork child of that code alone */
	char path[PATH_MAX];   /* "" of the program itself */
};
/* Asks the loader. False: no load object has it. */
bool code_object_find(struct code_object *object, uintptr_t code);

#endif
