/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of folded stacks: frames from the outermost to the leaf, separated by semicolons, a blank, and a count with or without a
   fraction; or two counts in every line, before and after, as difffolded.pl writes them. It is the input of flamegraph.pl and
   what its stackcollapse programs write. */
#ifndef FOLDED_H
#define FOLDED_H

#include "imported_profile.h"

struct folded {
	struct imported_profile *profile;
	bool single; /* a line had one count only */
	struct folded_before {
		uint64_t count, number;
		uint32_t millionths;
		char *line; /* all of it, to be read again if its name ends with what was taken for a count */
	} * before;         /* while not `single`: by line, the first count */
	uint32_t before_count;
};

void folded_begin(struct folded *folded, struct imported_profile *profile);
/* One line without its newline, ended by a 0, which is changed; `number` from 1 is for what is said of it. */
void folded_take(struct folded *folded, char *line, size_t length, uint64_t number);
/* After the last line: with two counts in every line there are two processes, apart from each other. */
void folded_end(struct folded *folded);

#endif
