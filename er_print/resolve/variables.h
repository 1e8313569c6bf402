/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of one load object by its symbol tables and its debug information: from an address to the one that owns it. */
#ifndef VARIABLES_H
#define VARIABLES_H

#include "data_variable.h"
#include "elf_file.h"
#include "interval_map.h"
#include "storage.h"
#include "units.h"
#include <stdbool.h>
#include <stdint.h>

struct variable;
/* Zero-initialised is empty. */
struct variables {
	bool read;
	struct variable *array; /* ascending by start; of one start the larger before what is in it */
	uint32_t count;
	struct interval_map owner; /* of array indexes */
	struct arena names;
};

/* Reads the tables of the object's file and of its debug file, either of which may be 0, and the units. Names point into the
   files or the arena. */
void variables_read(
	struct variables *variables, const struct elf_file *file, const struct elf_file *debug, struct units *units);
void variables_free(struct variables *variables);
/* The variable that holds the address, with its type, or 0. It stays where it is. */
const struct data_variable *variables_find(struct variables *variables, uint64_t address);

#endif
