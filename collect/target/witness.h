/* SPDX-License-Identifier: Apache-2.0 */
/* Telling a signal that was sent to collect alone, which the target must get from us, from one that was sent to the whole
   process group, which the target has already. Nothing in a signal says so: a process of ours in the same group, which
   does nothing else, has the second kind pending and not the first. */
#ifndef WITNESS_H
#define WITNESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct witness {
	pid_t pid; /* 0: there is none, and no signal was seen */
	int socket;
	unsigned seen[_NSIG]; /* signals to the group that collect has not taken yet */
};

/* Starts it; all signals are blocked. Before the target is forked: the kernel sends to the youngest of a group first, so
   that what collect has taken, the witness has. Without it (no more processes) signals to the group come twice. */
void witness_start(struct witness *witness);
/* collect has just taken this signal: was it sent to the group? */
bool witness_saw(struct witness *witness, int signal_number);
void witness_end(struct witness *witness);

#endif
