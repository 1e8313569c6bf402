/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load objects whose files are not there or are others than were recorded: their functions have no names. Said under lists that
   show them, and in `header`. */
#ifndef MISSING_OBJECTS_H
#define MISSING_OBJECTS_H

#include "facts.h"
#include "resolver.h"
#include "stack_sums.h"

/* The line under a list of these sums: 0 if none of what it shows is missing. The caller frees it. */
char *missing_objects_line(struct resolver *resolver, const struct data *data, const struct stack_sums *sums);
/* One warning in `header` for each that is missing of what the experiment's stacks need. Returns whether there is one. */
bool missing_objects_warn(struct resolver *resolver, const struct data *data,
	const struct loaded_experiment *experiment, struct facts *facts);

#endif
