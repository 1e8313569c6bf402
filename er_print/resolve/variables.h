/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of one load object by its symbol tables: from an address to the one that owns it. */
#ifndef VARIABLES_H
#define VARIABLES_H

#include "elf_file.h"
#include "interval_map.h"
#include "storage.h"
#include <stdbool.h>
#include <stdint.h>

struct variable {
	uint64_t start, size; /* ELF virtual address */
	const char *name;     /* demangled, without version */
};
/* Zero-initialised is empty. */
struct variables {
	bool read;
	struct variable *array; /* ascending by start, one for each start */
	uint32_t count;
	struct interval_map owner; /* of array indexes */
	struct arena names;
};

/* Reads the tables of the object's file and of its debug file; either may be 0. The names point into the files or the arena. */
void variables_read(struct variables *variables, const struct elf_file *file, const struct elf_file *debug);
void variables_free(struct variables *variables);
/* The variable that holds the address, or 0. */
const struct variable *variables_find(const struct variables *variables, uint64_t address);

#endif
