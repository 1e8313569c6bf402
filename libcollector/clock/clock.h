/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling, as the signal handler sees it. */
#ifndef CLOCK_H
#define CLOCK_H

#include "thread.h"
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Whether a signal of OUR_SIGNAL's number is a tick of one of our clocks (and not the target's own use of the number). */
bool clock_owns(const siginfo_t *info);
/* Whether the calling thread (0: it is not known) has a clock that the kernel may announce by a plain SIGIO, when it can queue
   no signal. */
bool clock_may_fall_back(const struct thread *thread);
/* Records a tick in the calling thread, which it interrupted; 0: nothing. Only in the handler, all signals blocked. */
void clock_tick(struct thread *thread, const siginfo_t *info, const ucontext_t *context);
/* A tick that a wait of the target took from the queue before the handler could: its time is in the next one. */
void clock_skip_tick(const siginfo_t *info);

#endif
