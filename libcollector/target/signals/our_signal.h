/* SPDX-License-Identifier: Apache-2.0 */
/* The one signal that is ours: its number, who it is delivered to, and how it stays invisible to the target. The target's
   own use of the same number goes on: our handler passes to the target's (virtual) handler what is not ours. */
#ifndef OUR_SIGNAL_H
#define OUR_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A real-time signal that libc and run-times leave alone: SIGRTMAX - 3, as a constant, because libc's SIGRTMAX moves when
   somebody reserves signals. */
enum { OUR_SIGNAL = 61 };
_Static_assert(_NSIG == 65, "real-time signals end at 64");

/* Installs the handler (and one for SIGIO, the kernel's fall-back when no signal can be queued, where the target has
   none). From now on the target's masks and actions are kept apart from the kernel's. */
void our_signal_start(void);
/* Recording has ended: the target's waits are left alone. The handler stays, so that a late tick kills nobody. */
void our_signal_stop(void);
/* Whether a signal is a tick or an overflow of ours, and not the target's own use of the number (or of SIGIO). */
bool our_signal_owns(int signal, const siginfo_t *info);
/* One of ours that a wait of the target took from the queue before the handler could. */
void our_signal_skip(const siginfo_t *info);
/* For each thread, also the first: unblocks ours, remembering that the target believes it blocked if it was; and its end,
   after which a late one does nothing. */
void our_signal_thread_start(void);
void our_signal_thread_end(void);
/* In a fork child, while the forking thread's state is still there: what the target believed stays. */
void our_signal_after_fork(void);
/* Blocks ours around a wait that would return EINTR (poll, nanosleep, ...); two raw system calls. Returns whether it did. */
bool our_signal_hold(void);
/* Whether waits are held at all: not if the target has a handler of its own for our number, which must interrupt them. */
bool our_signal_holds(void);
void our_signal_release(bool held);
/* The wait that the calling thread is in, if any, is being left by a jump: unblocks ours. */
void our_signal_leave(void);
/* The handler of SIGIO stands for the target's SIG_DFL: installs it again; whether that is what the kernel has. */
void our_signal_guard_sigio(void);
bool our_signal_guards_sigio(const struct sigaction *action);
/* In a fork child that is not recorded: the kernel's mask and actions become what the target believes them to be, for good. */
void our_signal_give_back(void);
/* Before exec or spawn: the kernel's mask and action become what the target believes them to be; and back if exec failed. */
void our_signal_mask_for_exec(void);
void our_signal_mask_after_exec(void);

#endif
