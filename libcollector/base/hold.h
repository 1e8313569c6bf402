/* SPDX-License-Identifier: Apache-2.0 */
/* A lock for the collector's rare work (log lines, load objects), which survives fork and a handler of the target that
   interrupts its holder. Never waited for in our own handlers. */
#ifndef HOLD_H
#define HOLD_H

#include <stdbool.h>

struct hold {
	int holder; /* atomic: kernel's thread id; 0: nobody */
};

/* Waits until it is ours. False if the caller holds it already: it was interrupted in its work and must not begin again. */
bool hold_take(struct hold *hold);
/* The same, but gives up after a while: for work under a lock of the loader's, in whose callbacks the target may be the one
   that waits for us. */
bool hold_take_soon(struct hold *hold);
/* Takes it if it is free. Async-signal-safe. */
bool hold_try(struct hold *hold);
void hold_release(struct hold *hold);

#endif
