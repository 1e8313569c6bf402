/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many cores work at once. */
#ifndef CORES_H
#define CORES_H

#include <stdbool.h>

enum { CORES_MAX = 64 };
/* How many threads share what can be shared out: at least 1. */
unsigned cores(void);
/* Sets it: "all", which are as many as the process may run on, or a number up to CORES_MAX. False: the text is neither. */
bool cores_set_text(const char *text);

#endif
