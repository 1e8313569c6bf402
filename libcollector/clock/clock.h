/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling, as the signal handler sees it. */
#ifndef CLOCK_H
#define CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Whether a signal of OUR_SIGNAL's number is a tick of one of our clocks (and not the target's own use of the number). */
bool clock_owns(const siginfo_t *info);
/* Whether the calling thread has a clock that the kernel may announce by a plain SIGIO, when it can queue no signal. */
bool clock_may_fall_back(void);
/* Records a tick in the thread that it interrupted. Only in the handler, all signals blocked. */
void clock_tick(const siginfo_t *info, const ucontext_t *context);
/* A tick that a wait of the target took from the queue before the handler could: its time is in the next one. */
void clock_skip_tick(const siginfo_t *info);

#endif
