/* SPDX-License-Identifier: Apache-2.0 */
/* The target's own use of the number of our signal, and of SIGIO while it has no handler for it: what it believes to be
   installed, what it believes to be blocked, and what waits for it. */
#ifndef TARGET_SIGNAL_H
#define TARGET_SIGNAL_H

#include "our_signal.h"
#include <ucontext.h>

/* Whether the target's masks and actions are kept apart from the kernel's: since our_signal_start(). */
extern bool signals_virtual;

/* sigaction() on a signal for which the kernel has our handler. 0. */
int target_action(int signal, const struct sigaction *action, struct sigaction *before);
/* Takes note of the action that the kernel had before our handler was installed. */
void target_action_remember(int signal, const struct sigaction *action);
/* Flags that libc adds to every action and the target reads back. */
void target_action_flags(int flags);
/* The target's beliefs about a number for which the kernel has our handler. */
bool target_ignores(int signal);
bool target_has_default(int signal);
bool target_has_handler(int signal);
/* Whether the target ignores our number; has a handler for it. */
bool target_ignores_our_signal(void);
bool target_handles_our_signal(void);

/* A signal that is not ours came: does what the target's action says, now or, if the thread blocks our number, when it
   unblocks it. */
void target_signal_deliver(int signal, siginfo_t *info, ucontext_t *context, bool blocked);

/* sigaction() as the target sees it; whether plain calls on a signal must not reach the kernel as they are. */
int target_sigaction(int signal, const struct sigaction *action, struct sigaction *before);
bool target_action_is_ours(int signal);
/* sigprocmask() as the target sees it, for calls of our own. */
int target_sigprocmask(int how, const sigset_t *set, sigset_t *before);
/* As target_sigprocmask(), for a system call of the target: 0 or -errno; no signal is left out. */
int target_kernel_mask(int how, const sigset_t *set, sigset_t *before);
/* Whether the calling thread believes our signal blocked, and setting that. */
bool target_blocks(void);
/* Sets it. Signals that waited are sent again when it is unblocked. */
void target_set_blocks(bool blocks);
/* Whether one waits (sigpending); takes the oldest that waits (sigwait). */
bool target_signal_waits(void);
bool target_signal_take(siginfo_t *info);

#endif
