/* SPDX-License-Identifier: Apache-2.0 */
/* Signals and job control between the shell and the target: see forward.h. All signals are blocked here; they are taken
   by sigwaitinfo(). */
#include "forward.h"
#include "process_state.h"
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Signals that the terminal sends go to every process of the foreground group, so the child has its own. Only a
   hangup goes to the session's leader alone. An alarm that was set before collect was exec'd is the target's. */
static bool from_kernel_for_child(int number)
{
	switch (number) {
	case SIGHUP:
	case SIGCONT:
		return getsid(0) == getpid();
	case SIGALRM:
	case SIGVTALRM:
	case SIGPROF:
		return true;
	default:
		return false;
	}
}

void forward_signal(pid_t child, const siginfo_t *info, struct witness *witness)
{
	int number = info->si_signo;
	/* Asked about every signal, so that it has nothing left of one that is dealt with. A child that has left the group
	   has no part in what is sent to it, as it would have none without us. */
	bool to_group = witness_saw(witness, number);
	if (info->si_code == SI_KERNEL) {
		if (from_kernel_for_child(number))
			kill(child, number);
		return;
	}
	if (info->si_code > 0 || to_group)
		return;
	/* A signal to its group or to its parent must not come back to the sender; a write to a closed pipe was our
	   own. */
	bool has_sender = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
	if (has_sender && (info->si_pid == getpid() || process_descends_from(info->si_pid, child)))
		return;
	if (info->si_code == SI_QUEUE)
		sigqueue(child, number, info->si_value);
	else
		kill(child, number);
}

/* A job-control shell gives each job a process group of its own. Without one nobody would continue us. */
static bool have_job_control(void)
{
	pid_t parent = getppid();
	return getsid(parent) == getsid(0) && getpgid(parent) != getpgrp();
}

void stop_like(pid_t child, int number)
{
	if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
		number = SIGSTOP;
	if (number == SIGSTOP && !have_job_control())
		return;
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, number);
	signal(number, SIG_DFL);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, 0);
	sigprocmask(SIG_BLOCK, &only, 0);

	/* Continued. The shell continues the whole group; if only we were meant, the child is still stopped. */
	const struct timespec now = {0};
	sigemptyset(&only);
	sigaddset(&only, SIGCONT);
	sigtimedwait(&only, 0, &now);
	struct process_state state;
	if (process_state_read(child, &state) && state.letter == 'T')
		kill(child, SIGCONT);
}
