/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function that a command's argument names, when several have that name. */
#ifndef CHOOSE_FUNCTION_H
#define CHOOSE_FUNCTION_H

#include "session.h"

/* The function of this name (long, short or mangled), the `number`th of several (from 1). Functions with a sum come
   first, in the order of the function list. On a terminal the user is asked which one; else a missing number is an
   error that lists them. False and a message if there is none. */
bool choose_function(struct session *session, const char *name, const char *number, uint32_t *function);
/* " (nearest: main, work)" of all functions that have been met, for a name that none has; "" if none is near. Cut to fit. Returns
   `text`. */
const char *nearest_functions(struct session *session, const char *name, char *text, size_t size);

#endif
