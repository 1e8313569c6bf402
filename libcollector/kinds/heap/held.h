/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks that were allocated before the size limit (-L) was reached and are not released yet. From then on only their
   releases are recorded: with them leaks are exact, for what was allocated before, and they are no more than there are blocks. */
#ifndef HELD_H
#define HELD_H

#include "kinds.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* There is a limit: the functions below are to be called. */
extern bool held_on;
void held_start(void);

/* A recorded allocation; without a lock, and in a signal handler, too. */
void held_add(enum state_value what, uint64_t address, size_t size);
/* A release, before it is made. True if something of it was added, or may have been: memory for the account can run out. */
bool held_take(enum state_value what, uint64_t address, size_t size);

#endif
