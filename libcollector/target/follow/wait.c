/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls that wait for children. Programs make them in handlers of SIGCHLD, too. */
#include "wait.h"
#include "blocking_call.h"
#include "collector.h"
#include "event_log.h"
#include "follow.h"
#include "interpose.h"
#include "log.h"
#include "system_calls.h"
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

/* The part of the time of all children that log lines tell of. */
static uint64_t told;

static uint64_t time_of(const struct rusage *usage)
{
	return ((uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec) * 1000000000u +
	       ((uint64_t)usage->ru_utime.tv_usec + (uint64_t)usage->ru_stime.tv_usec) * 1000u;
}

uint64_t wait_children_time(void)
{
	struct rusage usage = {0};
	system_call(SYS_getrusage, RUSAGE_CHILDREN, &usage);
	return time_of(&usage);
}

void wait_start(void)
{
	told = wait_children_time();
}

void wait_reaped(pid_t pid, const struct rusage *usage)
{
	if (!collector_recording() || !collector_is_recorded_process())
		return;
	uint64_t cpu = time_of(usage);
	__atomic_fetch_add(&told, cpu, __ATOMIC_RELAXED);
	log_write_waited(&collector.directory, event_log_time(), (uint64_t)pid, cpu);
}

/* waitid() does not say what the child used: it is what all children have used more than before. */
static void reaped_by_waitid(pid_t pid)
{
	if (!collector_recording() || !collector_is_recorded_process())
		return;
	uint64_t all = wait_children_time(), before = __atomic_exchange_n(&told, all, __ATOMIC_RELAXED);
	log_write_waited(&collector.directory, event_log_time(), (uint64_t)pid, all > before ? all - before : 0);
}

/* The result of CALL, a wait4() with USAGE and STATUS that the kernel writes to. */
static pid_t wait_and_tell(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct rusage own;
	int own_status;
	if (!collector_recording())
		return REAL(wait4)(pid, status, options, usage);
	usage = usage ? usage : &own;
	status = status ? status : &own_status;
	pid_t ended = REAL(wait4)(pid, status, options, usage);
	if (ended > 0 && (WIFEXITED(*status) || WIFSIGNALED(*status)))
		wait_reaped(ended, usage);
	return ended;
}

INTERPOSE pid_t wait(int *status)
{
	return BLOCKING_CALL_CHILD(pid_t, result, wait_and_tell(-1, status, 0, 0));
}

INTERPOSE pid_t waitpid(pid_t pid, int *status, int options)
{
	return BLOCKING_CALL_CHILD(pid_t, result, wait_and_tell(pid, status, options, 0));
}

INTERPOSE pid_t wait3(int *status, int options, struct rusage *usage)
{
	return BLOCKING_CALL_CHILD(pid_t, result, wait_and_tell(-1, status, options, usage));
}

INTERPOSE pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return BLOCKING_CALL_CHILD(pid_t, result, wait_and_tell(pid, status, options, usage));
}

static bool has_ended(const siginfo_t *info)
{
	return info->si_pid > 0 &&
	       (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
}

INTERPOSE int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own;
	if (!collector_recording() || !(options & WEXITED) || (options & WNOWAIT))
		return BLOCKING_CALL(int, STATE_CHILD, REAL(waitid)(type, id, info, options));
	info = info ? info : &own;
	int failed = BLOCKING_CALL_CHILD(int, result ? 0 : info->si_pid, REAL(waitid)(type, id, info, options));
	if (!failed && has_ended(info))
		reaped_by_waitid(info->si_pid);
	return failed;
}
