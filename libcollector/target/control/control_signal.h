/* SPDX-License-Identifier: Apache-2.0 */
/* The signals by which the user speaks to the recording: -y (pause, go on) and -l (sample), sent to the process by kill(2).
   What the program does with the same numbers goes on: what another call sends them by is its own, and actions that it sets
   are kept apart from the kernel's. Its masks are not: a number that every thread blocks waits, as without us. */
#ifndef CONTROL_SIGNAL_H
#define CONTROL_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Installs the handlers; again in a fork child, which has them. */
void control_signals_start(void);
/* In the founder's first image, when it is decided whether it is recorded: what collect has blocked may come. */
void control_signals_release(void);
/* Whether the kernel has our handler for this number. */
bool is_control_signal(int signal);
/* sigaction() by the program on such a number: as it believes it; the log gets a warning. */
int control_signal_action(int signal, const struct sigaction *action, struct sigaction *before);

/* Bits of those that are blocked in a wait that they would interrupt: the program has no handler for them. */
uint64_t control_signals_to_hold(void);

/* Before exec or spawn the kernel's actions become what the program believes them to be, and after it ours again. */
void control_signals_for_exec(void);
void control_signals_after_exec(void);
/* In a fork child that is not recorded: for good. */
void control_signals_give_back(void);

#endif
