/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One load object as the resolver sees it: the files that describe it, and what was read from them. */
#ifndef CODE_OBJECT_H
#define CODE_OBJECT_H

#include "code_file.h"
#include "data.h"
#include "elf_file.h"
#include "entry_parents.h"
#include "functions.h"
#include "id_table.h"
#include "symbols.h"
#include "units.h"
#include "variables.h"

struct code_object {
	bool opened;
	enum code_file state;
	uint32_t index; /* of data->objects */
	char name[256]; /* "<libc.so.6>" */
	char remark[512];
	struct kept_names *kept; /* what is known of it without reading it; 0: nothing is kept */
	struct elf_file *file;   /* 0 if not found */
	struct elf_file *debug;  /* a separate debug file, or 0 */
	Dwarf *dwarf;            /* of one of the two, or 0 */
	struct symbols symbols;
	struct units units;
	struct variables variables; /* read when first asked for */
	uint32_t *function_of;      /* by symbol, once its source is known too; NO_ID before */
	struct symbol_name {        /* all names of all symbols, by name; made when first asked for */
		const char *name;
		uint32_t symbol;
	} * names;
	uint32_t name_count;
	struct entry_parents parents;
	struct entry_function { /* functions without a linkage name, by what they are instances of */
		const void *entry;
		uint32_t function;
	} * entry_functions;
	uint32_t entry_function_count;
	struct id_table by_entry;
	enum { OF_MACHINE_NOT_ASKED, OF_MACHINE_NO, OF_MACHINE_YES } of_machine;
};

/* Gives it its index and name; nothing is read. */
void code_object_create(struct code_object *object, const struct data *data, uint32_t index);
void code_object_close(struct code_object *object);

/* Where its files may be. */
struct object_search {
	const struct data *data;
	const struct search_path *path; /* or 0 */
	bool debuginfod;
};
/* Finds the object's files, without reading what is in them, once. */
void code_object_find(
	struct code_object *object, const struct load_object *described, const struct object_search *search);
/* Finds and reads the object's files, once. File names are numbered in `paths`. */
void code_object_open(struct code_object *object, const struct load_object *described,
	const struct object_search *search, struct strings *paths);

/* Whether the object, which was read, is also a file of this machine, and not only the experiment's copy: what its debug
   information names is then no choice of whoever wrote the experiment. */
bool code_object_is_of_machine(struct code_object *object, const struct data *data);

/* The frames at an address, innermost first; at least one. */
unsigned code_object_frames(
	struct code_object *object, struct functions *functions, uint64_t offset, struct frame frames[FRAMES_MAX]);
/* The function of a symbol of the object. */
uint32_t code_object_symbol_function(struct code_object *object, struct functions *functions, uint32_t symbol);
/* Whether another function of the object has the same symbol and source file. */
bool code_object_has_twin(struct code_object *object, struct functions *functions, uint32_t function);
/* The function of a scope of one of its units. */
uint32_t code_object_scope_function(
	struct code_object *object, struct functions *functions, struct unit *unit, uint32_t scope);

#endif
