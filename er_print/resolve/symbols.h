/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one load object by its symbol tables, PLT and unwind tables: from an address to the one that owns it. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include "elf_file.h"
#include "interval_map.h"
#include "storage.h"
#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end;
	const char *name; /* without version; 0: no symbol, only known to be code: <static>@START */
	const char *file; /* base name of the source file of a local symbol, or 0 */
	bool local, function, sized;
};

/* Zero-initialised is empty. */
struct symbols {
	struct symbol *array; /* ascending by start, one for each start */
	uint32_t count;
	struct interval_map owner; /* of array indexes */
	struct arena names;
	struct elf_file *mini; /* .gnu_debugdata, unpacked */
	uint32_t named;        /* the first so many may have a name, the others have none */
	struct symbol_alias {  /* further names of symbols */
		const char *name;
		uint32_t symbol;
	} * aliases;
	uint32_t alias_count;
};

/* Reads the tables of the object's file and of its debug file; either may be 0. The names point into the files. */
void symbols_read(struct symbols *symbols, const struct elf_file *file, const struct elf_file *debug);
void symbols_free(struct symbols *symbols);

/* The index of the symbol that owns the address, or NO_INTERVAL. */
uint32_t symbols_find(const struct symbols *symbols, uint64_t address);

#endif
