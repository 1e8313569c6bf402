/* SPDX-License-Identifier: Apache-2.0 */
/* Our handlers never run on a stack of the target's that may have no room for them: each thread has an alternate signal stack,
   its own if that is large enough, else one of ours. The target sees what it has set by libc. Its handlers that ask for an
   alternate stack run on ours where the thread has none: some run-times (Go's with cgo) set theirs by a bare system call, or
   take the one that they find, and rely on it. */
#ifndef ALTERNATE_STACK_H
#define ALTERNATE_STACK_H

#include <signal.h>
#include <stdbool.h>

/* The flags of our handlers. */
enum { OUR_HANDLER_FLAGS = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

/* In each thread that gets our signals, also in a fork child: gives it a stack of ours where it needs one. */
void alternate_stack_begin(void);
/* The kernel has again what the target has set. At the end of the thread, or where it is not recorded any more. */
void alternate_stack_end(void);

/* sigaltstack() as the target sees it, by libc's function. */
int target_alternate_stack(const stack_t *stack, stack_t *before);

#endif
