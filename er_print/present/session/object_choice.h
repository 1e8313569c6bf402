/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which load objects are shown with their functions. */
#ifndef OBJECT_CHOICE_H
#define OBJECT_CHOICE_H

#include "stack_view.h"

struct session;

/* Choices that hold for objects that are not loaded yet: those of .er.rc, in order. */
struct object_default {
	char *names; /* comma list, or "all" */
	enum object_expansion expansion;
};
struct object_choice {
	enum object_expansion *expansion; /* by load object */
	uint32_t count;
	bool any; /* some object is not shown */
	struct object_default *defaults;
	unsigned default_count;
};
/* Room for the load objects that were added; they are shown as the defaults say. */
void object_choice_extend(struct session *session);
/* Every object as the defaults say. */
void object_choice_reset(struct session *session);
void object_choice_add_default(struct object_choice *choice, const char *names, enum object_expansion expansion);
/* Forgets the load objects, not the defaults. */
void object_choice_forget(struct object_choice *choice);
void object_choice_free(struct object_choice *choice);
/* Chooses for the objects of a comma list ("all": every one). False if a name is unknown (said, unless `quiet`); the other
   names hold. */
bool object_choice_set(struct session *session, const char *names, enum object_expansion expansion, bool quiet);

#endif
