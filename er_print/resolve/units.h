/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compilation units of one load object's DWARF: which unit owns an address, its line table, its tree of inlined calls.
   libdw parses; a unit is parsed when an address of it is first asked for. */
#ifndef UNITS_H
#define UNITS_H

#include "interval_map.h"
#include "strings.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_SCOPE UINT32_MAX

/* A function, or a call that was inlined into one, with code. */
struct scope {
	Dwarf_Die die;
	uint32_t parent; /* the scope that it was inlined into; NO_SCOPE for a function */
	bool inlined;
	uint32_t function;             /* for the resolver to keep what it found; NO_SCOPE at first */
	uint32_t call_file, call_line; /* of the call of an inlined one; NO_SCOPE: not read yet */
};

struct unit {
	Dwarf_Die die;   /* of the unit; of the skeleton if it is split */
	Dwarf_Die inner; /* where its functions are, once it is opened */
	bool opened, parsed;
	bool incomplete;   /* split, and the file with its functions was not found */
	Dwarf_Lines *rows; /* by address; owned by libdw */
	size_t row_count;
	Dwarf_Files *files;
	size_t file_count;
	uint32_t *file_numbers;  /* of files, as numbers in units->paths; NO_SCOPE: not asked yet */
	Dwarf_Files *call_files; /* of `inner`: what DW_AT_call_file counts in */
	size_t call_file_count;
	struct scope *scopes;
	uint32_t scope_count;
	struct interval_map innermost; /* address -> scope */
	struct own_copy {              /* of functions that are inlined too, by entry; made when first asked for */
		const void *entry;
		uint32_t scope;
	} * own_copies;
	uint32_t own_copy_count;
	bool own_copies_known;
};

/* Zero-initialised has none. */
struct units {
	struct unit *array;
	uint32_t count;
	struct interval_map owner; /* address -> unit */
	struct strings *paths;
};

/* Finds the units of `dwarf`. File names are numbered in `paths`. */
void units_find(struct units *units, Dwarf *dwarf, struct strings *paths);
void units_free(struct units *units);

/* The unit that owns an address, parsed, or 0. */
struct unit *units_at(struct units *units, uint64_t address);
/* Finds the file with its functions, once. */
void unit_open(struct unit *unit);
/* Opens and parses a unit that is not yet. */
void unit_parse(struct unit *unit);

/* The line of an address: its number, and the file's in *file. 0 where there is none. */
uint32_t unit_line(struct units *units, struct unit *unit, uint64_t address, uint32_t *file);
/* File number `index` of the unit's line table, in units->paths (0: none). */
uint32_t unit_file(struct units *units, struct unit *unit, size_t index);
/* The innermost scope at an address, or NO_SCOPE. */
uint32_t unit_scope(const struct unit *unit, uint64_t address);

/* The file that an entry, or the one that it is an instance of, was declared in; 0 if it does not say. Owned by libdw. */
const char *entry_file(Dwarf_Die *die);
/* A path as the debug information of a unit records it, numbered: made absolute with the compilation directory and
   simplified by its text (archive_simplify_path()). 0 for none. */
uint32_t unit_path(struct units *units, struct unit *unit, const char *path);

#endif
