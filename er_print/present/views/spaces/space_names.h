/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of code spaces and of their classes in reports. */
#ifndef SPACE_NAMES_H
#define SPACE_NAMES_H

#include "session.h"
#include "space_classes.h"

/* The function and where in it the pieces of code are, in bytes from its start, half-open; or what else the space is. A text of the
   table, or of somebody who lives longer. */
const char *space_name(
	const struct session *session, struct table *table, const struct space_model *model, uint32_t space);
/* The name of its leader, and how many spaces there are beside it. */
const char *space_class_name(const struct session *session, struct table *table, const struct space_model *model,
	const struct space_class *class);

#endif
