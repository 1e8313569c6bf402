/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls by which a thread may stop its own process: it waits in them until somebody continues it. A signal
   to another process makes nobody wait here. */
#include "blocking_call.h"
#include "interpose.h"
#include <signal.h>

static bool stops(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

#define MAY_STOP(signal, made) (stops(signal) ? BLOCKING_CALL(int, STATE_STOPPED, made) : (made))

INTERPOSE int raise(int number)
{
	return MAY_STOP(number, REAL(raise)(number));
}

INTERPOSE int kill(pid_t process, int number)
{
	return MAY_STOP(number, REAL(kill)(process, number));
}

INTERPOSE int killpg(pid_t group, int number)
{
	return MAY_STOP(number, REAL(killpg)(group, number));
}
