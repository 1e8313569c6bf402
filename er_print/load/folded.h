/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of folded stacks, one in a line: frames from the outermost to the leaf, separated by semicolons, a blank, and a count
   with or without a fraction. It is the input of flamegraph.pl and what its stackcollapse programs write. */
#ifndef FOLDED_H
#define FOLDED_H

#include "error.h"
#include "strings.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FOLDED_MILLION 1000000u /* what counts are multiplied by if one of them has a fraction */

/* Zero-initialised is empty. */
struct folded {
	struct strings names;
	uint32_t *frames; /* numbers of names, all lines one after the other */
	size_t frame_count;
	struct folded_line {
		size_t frames_end;
		uint64_t count;      /* in millionths, all of it, if has_fractions */
		uint32_t millionths; /* its fraction */
	} * lines;
	uint32_t line_count;
	bool has_fractions;
	uint64_t ignored, first_ignored; /* lines that are no folded stacks; the number of the first of them, from 1 */
};

/* Reads a file or pipe. False if it cannot be read, has not one folded stack, or is a differential one (two counts in every
   line). Lines that are empty or no folded stack are left out, the latter counted. */
bool folded_read(struct folded *folded, const char *path, struct error *error);
void folded_free(struct folded *folded);

#endif
