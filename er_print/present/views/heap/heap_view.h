/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports about the heap. */
#ifndef HEAP_VIEW_H
#define HEAP_VIEW_H

#include "session.h"

/* False, with an error, if there is no heap data. */
bool heap_was_recorded(struct session *session);

/* A line that says what the leaks are of, if recording ended at its size limit; else "". A text of the table. */
const char *heap_limit_text(struct session *session, struct table *table);

#endif
