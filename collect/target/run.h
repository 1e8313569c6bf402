/* SPDX-License-Identifier: Apache-2.0 */
/* Running the target: as our child, which we stand in for (signals, job control, exit status), or over ourselves. */
#ifndef RUN_H
#define RUN_H

#include "create.h"
#include "error.h"
#include "target.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/* The target inherits these although collect changes them for itself. */
struct inherited {
	sigset_t mask;
	struct sigaction child; /* of SIGCHLD */
};

/* From now on no signal interrupts collect; they wait. */
void run_block_signals(struct inherited *inherited);

/* Lets the target begin with this signal (0: none) blocked, so that it does not end it before the collector is there, which
   unblocks it. Returns its bit for the setting held_signals, 0 if the target would inherit it blocked anyway. */
uint64_t run_hold_signal(struct inherited *inherited, int signal_number);

struct outcome {
	pid_t pid;
	int status;          /* of wait(2) */
	struct rusage usage; /* of the target and its descendants that were waited for */
};

/* Starts the target with our environment, writes the start line, waits for its end, and takes the
   periodic samples meanwhile. `for_debugger` leaves it stopped
   at its first instruction and says so. False if it could not be exec'd (or stopped). */
bool run_child(const struct target *target, char **argv, const struct created *created,
	const struct inherited *inherited, bool for_debugger, struct outcome *outcome, struct error *error);

/* Writes the start line (experiment 0: none) and becomes the target; returns, false, only if that fails. */
bool run_over_ourselves(const struct target *target, char **argv, const char *experiment,
	const struct inherited *inherited, struct error *error);

/* Ends collect as the target ended: its exit status, or its signal without a core of our own. */
_Noreturn void run_end_like(int status);
/* Ends collect by this signal. */
_Noreturn void run_end_by_signal(int signal_number);

#endif
