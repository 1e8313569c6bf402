/* SPDX-License-Identifier: Apache-2.0 */
/* Our signal after each page fault of a thread that had to wait for the page. It comes on the way back to the instruction that
   needed it, in user mode, so it cuts no wait of the target short. An event of its own, because the one that records context
   switches would send signals for these, too. */
#ifndef FAULT_SIGNAL_H
#define FAULT_SIGNAL_H

#include "thread.h"
#include <signal.h>

/* In the thread itself, of that id; async-signal-safe. Does nothing if it was tried before. */
void fault_signal_open(struct thread_switches *switches, pid_t tid);
/* In the thread itself; it may be opened again. */
void fault_signal_close(struct thread_switches *switches);
/* No more signals, from any thread of the process. */
void fault_signal_silence(struct thread_switches *switches);
/* Whether the signal is one of these. */
bool fault_signal_is(const struct thread_switches *switches, const siginfo_t *info);

#endif
