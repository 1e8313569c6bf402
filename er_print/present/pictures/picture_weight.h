/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heaviest processes: those with the largest totals of the sort metric. */
#ifndef PICTURE_WEIGHT_H
#define PICTURE_WEIGHT_H

#include "session.h"

struct picture_weight {
	const char *filter; /* that keeps their events; 0: there are none */
	const char *label;  /* "heaviest 2 of 8 processes" */
};
/* As many percent of the processes with events of the sort metric as the choice weight says, one at least; of equal ones the first
   that were loaded. The texts are of `texts`. */
struct picture_weight picture_weight_find(struct session *session, struct table *texts);

#endif
