/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files as lines. */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "resolver.h"

struct source_text {
	const char *path; /* where it was read; 0: it was not found */
	char *bytes;
	char **lines; /* [0] is line 1 */
	uint32_t count;
};
/* Reads a file of the resolver's; one that cannot be read has no lines. */
struct source_text source_text_read(struct resolver *resolver, uint32_t file);
void source_text_free(struct source_text *text);
/* The line that says that a file is newer than the load object of the function; 0: it is not. */
const char *source_text_warning(struct resolver *resolver, uint32_t file, uint32_t function);
/* The text of a line, counted from 1; "" where there is none. */
const char *source_text_line(const struct source_text *text, uint32_t line);

#endif
