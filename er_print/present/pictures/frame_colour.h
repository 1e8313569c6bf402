/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of frames. A colour depends on nothing but what is said of the frame here. */
#ifndef FRAME_COLOUR_H
#define FRAME_COLOUR_H

#include "picture_setting.h"
#include <stdbool.h>
#include <stddef.h>

struct colour {
	unsigned char red, green, blue;
};
/* Annotations as flamegraph.pl knows them by the end of a name, "copy_[k]". */
enum frame_mark {
	MARK_NONE,
	MARK_KERNEL = 'k',
	MARK_INLINED = 'i',
	MARK_JIT = 'j',
	MARK_WAKER = 'w',
	MARK_CPLUSPLUS = 'c', /* a function whose linkage name says that it is C++; no annotation */
};
/* The annotation at the end of a name; *length: the bytes of the name before it. */
enum frame_mark frame_mark_of(const char *name, size_t *length);

struct frame_traits {
	const char *name; /* with its annotation, if it has one */
	enum frame_mark mark;
	bool waker;      /* it stands beyond a separator "--" */
	unsigned object; /* OBJECT: its load object's number among those of the picture */
	unsigned hue;    /* OBJECT: its load object's hue, in degrees */
	bool ratio;      /* SCALE: `share` is from -1 to 1, where 0 is the value of all; else from 0 to 1 */
	double share;
};
/* `safe`: from colours that colour-blind readers tell apart, where colours mean something. */
struct colour frame_colour(enum picture_palette palette, bool safe, const struct frame_traits *traits);
/* Whether white text is easier to read on it than black, by the contrast of the Web Content Accessibility Guidelines 2. */
bool colour_is_dark(struct colour colour);
/* The legend's words for the colours at the ends of a scale. */
const char *colour_scale_words(bool safe, bool ratio);
/* A hue for each of `count` names (of load objects), sorted and each once: the name's own, unless one before it is like it. */
void colour_hues(const char *const *names, size_t count, unsigned *hues);

#endif
