/* SPDX-License-Identifier: Apache-2.0 */
/* Stopping a child at the return of its exec: see debugger.h. */
#include "debugger.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

bool debugger_watch(pid_t child, struct error *error)
{
	if (ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) == 0)
		return true;
	return error_set(error, "Option -x: the target cannot be stopped: ptrace: %s", strerror(errno));
}

bool debugger_leave_stopped(pid_t child, struct error *error)
{
	int status;
	while (waitpid(child, &status, __WALL) == child && WIFSTOPPED(status)) {
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
			/* Pending until it is let go, then the first thing that it meets. */
			kill(child, SIGSTOP);
			if (ptrace(PTRACE_DETACH, child, 0, 0) != 0)
				break;
			/* Its stop, once; later ones are the job's. */
			if (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status))
				return true;
			break;
		}
		ptrace(PTRACE_CONT, child, 0, status >> 16 ? 0 : WSTOPSIG(status));
	}
	return error_set(error, "Option -x: the target could not be stopped at its first instruction");
}
