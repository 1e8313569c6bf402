/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A variable: by symbol tables, and by DWARF its type and the parts that the type has. */
#ifndef DATA_VARIABLE_H
#define DATA_VARIABLE_H

#include <stdint.h>

#define NO_MEMBER UINT32_MAX

/* A part of a variable that is no structure itself. Of arrays of structures all elements' parts are one. */
struct data_member {
	const char *path;      /* after the variable's name: "[].position", ".rows[].first", ".<padding>" */
	const char *type;      /* "double[3]"; "" for padding */
	uint64_t offset, size; /* bytes; from the variable's start to the first of them */
};
struct data_variable {
	uint64_t start, size;              /* ELF virtual address, bytes */
	const char *name;                  /* demangled, without version; of a function's own static "function::name" */
	const char *type;                  /* "struct particle[100]"; "" if not known */
	uint32_t file, line;               /* of its declaration, the file for resolver_file(); 0 if not known */
	const struct data_member *members; /* ascending by offset, from 0 to the size of an element, without gaps */
	uint32_t member_count;             /* 0: it is no structure and no array of them, or its type is not known */
	uint64_t element;                  /* size of what the members are of; 0 without members */
	const struct member_layout *layout;
};
/* The member that a virtual address within the variable belongs to, or NO_MEMBER. */
uint32_t data_variable_member(const struct data_variable *variable, uint64_t address);

#endif
