/* SPDX-License-Identifier: Apache-2.0 */
/* Walks of stacks that are past, and guesses in any walk, look at code that no thread may be in any more, so that another thread
   may be unmapping it. They do not look while that goes on, and it begins when they are over. Lock-free; the walks' side is
   async-signal-safe. */
#ifndef LEAVING_CODE_H
#define LEAVING_CODE_H

#include <stdbool.h>

/* False: code is leaving, and what rows know of it (rows.h) may be so no more. Else it stays until code_stays_end(). */
bool code_stays_begin(void);
void code_stays_end(void);

/* Around a call that may unmap load objects, and what takes them out of the rows. Waits for walks of other threads, but not for
   ever: the caller may be a handler that interrupted one. errno stays as it is. */
void code_leaves_begin(void);
void code_leaves_end(void);

/* When recording begins, also in a fork child: threads that it does not have may have been in either. */
void leaving_code_start(void);

#endif
