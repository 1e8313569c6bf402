/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a tree as a picture shows them. */
#ifndef PICTURE_FUNCTIONS_H
#define PICTURE_FUNCTIONS_H

#include "frame_colour.h"
#include "path_tree.h"
#include "resolver.h"

/* How a session names functions. */
struct picture_naming {
	/* Static or interned: compared and printed, not kept. */
	const char *(*name)(const void *context, uint32_t function);
	/* Tells what is known of the function besides its name; 0: nothing is. */
	enum frame_mark (*mark)(const void *context, uint32_t function);
	/* Numbers of the tree are no functions of the resolver's, and the palette `object` has a colour for each. */
	bool unresolved;
	const void *context;
};
struct picture_function {
	const char *name; /* with its annotation; 0: the function is not in the tree */
	size_t length;    /* bytes of it without the annotation: what is shown */
	enum frame_mark mark;
	uint32_t rank; /* in alphabetical order; functions of one name by load object, then by file, then by address */
	const char *object_name, *file_name; /* "": not known */
	unsigned object, hue;                /* as struct frame_traits has them */
};
/* By function, up to the last of the tree; the caller frees it. */
struct picture_function *picture_functions(
	const struct path_tree *tree, struct resolver *resolver, const struct picture_naming *naming);

#endif
