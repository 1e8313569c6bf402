/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports about the heap. */
#ifndef HEAP_VIEW_H
#define HEAP_VIEW_H

#include "session.h"

/* False, with an error, if there is no heap data. */
bool heap_was_recorded(struct session *session);

/* Says what the leaks are of, if recording ended at its size limit. */
void heap_print_limit(struct session *session);

#endif
