/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings kept once: equal texts have the same number and the same pointer. */
#ifndef STRINGS_TABLE_H
#define STRINGS_TABLE_H

#include "id_table.h"
#include "storage.h"

/* Zero-initialised is empty. */
struct strings {
	struct arena arena;
	struct id_table table;
	const char **text; /* by number, from 0 in the order of addition; valid until strings_free */
	uint32_t count;
};

/* The number of a text (copied when new). */
uint32_t strings_number(struct strings *strings, const char *text);
/* The kept copy of a text. */
const char *strings_keep(struct strings *strings, const char *text);
void strings_free(struct strings *strings);

#endif
