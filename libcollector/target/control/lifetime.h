/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's lifetime in one process: begun by the constructor or in a fork child, ended by exit, exec or the program's
   own wish. */
#ifndef LIFETIME_H
#define LIFETIME_H

#include "kinds.h"
#include <stdbool.h>

/* From here on the work of the calling thread, the only one of this image or process, is the collector's and not the
   target's; collector_start() ends this. */
void collector_begin_own_start(void);

/* Opens the founder's directory: once in an image, with the settings loaded. False: it cannot be reached. */
bool collector_find_founder(void);
/* Makes the experiment of that lineage this process's own: 0, or an errno value (EEXIST: it is already another process's). */
int collector_claim(const char *lineage);
/* Starts recording into the experiment that was claimed. Called by the constructor and in a fork child. False: nothing
   is recorded, the reason is in the founder's log. */
bool collector_start(void);

/* Makes the events file of a kind whose file is late (kind.h), while recording: once, in one thread, not in handlers. False: it
   cannot be made, which the founder's log says. */
bool collector_create_file(enum kind kind);

/* Ends recording: stops kinds, writes what is left of each thread, the close event. Idempotent. From exit, _exit, exec,
   and the destructor. */
void collector_close(const char *reason);
/* Likewise, as the process is about to end: that wakes its parent. */
void collector_end(const char *reason);

/* Around an exec: ends recording as collector_close() does, but so that the calling thread's can go on if the exec fails. Of
   the other threads what is left is taken, and no more. */
void collector_suspend(const char *reason);
void collector_continue(void);

#endif
