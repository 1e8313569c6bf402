/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the values of fields that have one of several states (kinds.def). */
#ifndef STATE_TITLE_H
#define STATE_TITLE_H

#include "kinds.h"

/* "Mutex", "write"; "Object" for a value that has no name. */
const char *state_title(enum kind kind, const char *field, uint64_t value);

#endif
