/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving the target stopped at its first instruction, for a debugger (-x). */
#ifndef DEBUGGER_H
#define DEBUGGER_H

#include "error.h"
#include <stdbool.h>
#include <sys/types.h>

/* Before the child execs: asks to see its exec. False if tracing is refused. */
bool debugger_watch(pid_t child, struct error *error);
/* After its exec: leaves it stopped as by SIGSTOP, traced by nobody. The stop is not the job's: it is seen by no
   shell. */
bool debugger_leave_stopped(pid_t child, struct error *error);

#endif
