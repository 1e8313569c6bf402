/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions, source lines and files that have been met, each kept once under a stable index. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "resolver.h"
#include "strings.h"

struct functions {
	struct function **array; /* the structures never move */
	uint32_t count;
	struct id_table by_start; /* of physical ones */
	struct id_table by_name;  /* of those that exist only inlined */
	struct source_line *lines;
	uint32_t line_count;
	struct id_table line_table;
	struct strings names, paths; /* path 0 is "" */
	struct arena arena;
};

/* Creates the artificial functions and line 0. `total` and `unknown` are their load objects. */
void functions_create(struct functions *functions, uint32_t total, uint32_t unknown);
void functions_free(struct functions *functions);

/* The properties of a function that are known when it is met. */
struct function_facts {
	uint32_t object;
	const char *name;       /* linkage name; copied */
	const char *short_name; /* of one that has none, whose `name` is all of it: without arguments; copied. Else 0 */
	uint64_t start, size;
	uint32_t file, first_line;
	const char *long_name,
		*demangled_short; /* what the demangler makes of the name, where that is known; copied. Else 0 */
};
/* The function that starts there; made when new. A file that was not known before is added to it. */
uint32_t functions_physical(struct functions *functions, const struct function_facts *facts);
/* The function of that object, name and file that has no code of its own, without a linkage name of that line, too; made when
   new. */
uint32_t functions_inlined(struct functions *functions, const struct function_facts *facts);

uint32_t functions_line(struct functions *functions, uint32_t function, uint32_t file, uint32_t line);

#endif
