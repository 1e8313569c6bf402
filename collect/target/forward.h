/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in for the target: what is sent to collect reaches the target, once, and what stops the target stops
   collect. */
#ifndef FORWARD_H
#define FORWARD_H

#include "witness.h"
#include <signal.h>
#include <sys/types.h>

/* Sends the signal on to the child, unless the child has it already or sent it itself. */
void forward_signal(pid_t child, const siginfo_t *info, struct witness *witness);

/* The child was stopped by this signal: so are we, for the shell to see, until we are continued; then so is the
   child. */
void stop_like(pid_t child, int signal_number);

#endif
