/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of a code space. */
#ifndef SPACE_LINES_H
#define SPACE_LINES_H

#include "space_model.h"

struct space_lines {
	uint32_t file;        /* of the resolver: that of the function */
	uint32_t first, last; /* of lines in it; calls that are inlined count as where they are called */
};
/* False: no line of it is known. */
bool space_lines_find(struct space_lines *lines, const struct space_model *model, uint32_t space);

#endif
