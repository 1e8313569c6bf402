/* SPDX-License-Identifier: Apache-2.0 */
/* The names that somebody may have meant by a word that is none: offered one after the other, the nearest few are kept. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

enum { NEAREST_MOST = 3 };

struct nearest {
	const char *wanted;
	struct near_name {
		const char *name; /* the owner's, until nearest_text() */
		unsigned distance;
	} names[NEAREST_MOST]; /* nearest first; of equals, the one offered first */
	unsigned count;
};

void nearest_begin(struct nearest *nearest, const char *wanted);
/* Offers a name. It is kept if so few letters are wrong, missing, too many or exchanged that it may have been meant, or if the word
   is a part of it; case does not matter. Offering it again changes nothing. */
void nearest_offer(struct nearest *nearest, const char *name);
/* " (nearest: functions, fsummary)", or "" if there is none. Cut to fit. Returns `text`. */
const char *nearest_text(const struct nearest *nearest, char *text, size_t size);

#endif
