/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture for each process, thread or rank: the parts that events of the sort metric have, and the filter of each. */
#ifndef PICTURE_PARTS_H
#define PICTURE_PARTS_H

#include "session.h"

struct picture_part {
	const char *suffix; /* of its file's name: "-1234" */
	const char *label;  /* "process 1234, thread 2" */
	const char *filter; /* that keeps its events */
};
struct picture_parts {
	struct picture_part *all; /* by experiment, thread; ranks by their number */
	uint32_t count;
	struct table texts;
};
/* Those of what the session's filter keeps; picture_parts_free() frees them. */
struct picture_parts picture_parts_find(struct session *session);
void picture_parts_free(struct picture_parts *parts);
/* "x-1234.svg" of "x.svg"; a text of the parts. */
const char *picture_part_path(struct picture_parts *parts, const struct picture_part *part, const char *path);

#endif
