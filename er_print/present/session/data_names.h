/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of data objects in lists and in expressions. */
#ifndef DATA_NAMES_H
#define DATA_NAMES_H

#include "data_objects.h"
#include "session.h"

/* "grid", "particles[].position", "stdout (libc.so.6)", "<Allocated in main, line 12 in "a.c">", "<Stack>"; may
   be a text of the table. */
const char *data_object_name(const struct session *session, struct table *table, const struct data_object *object);

#endif
