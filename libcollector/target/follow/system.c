/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of system: libc would give its shell the process's own environment, which cannot be changed for as
   long as the command runs. So it is done here, as POSIX describes it, with the environment that we compose. */
#include "blocking_call.h"
#include "collector.h"
#include "departure.h"
#include "hold.h"
#include "interpose.h"
#include "system_calls.h"
#include "target_signal.h"
#include "wait.h"
#include "weak_libc.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL           "/bin/sh"
#define STATUS_NO_SHELL (127 << 8) /* as if the shell had ended with 127 */

/* While any thread is in system(), the process ignores the keyboard's signals. */
static struct hold hold;
static unsigned callers;
static struct sigaction interrupt, quit; /* what they were */

static void ignore_keyboard(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	bool held = hold_take(&hold);
	if (callers++ == 0) {
		REAL(sigaction)(SIGINT, &ignore, &interrupt);
		REAL(sigaction)(SIGQUIT, &ignore, &quit);
	}
	if (held)
		hold_release(&hold);
}

static void restore_keyboard(void)
{
	bool held = hold_take(&hold);
	if (--callers == 0) {
		REAL(sigaction)(SIGINT, &interrupt, 0);
		REAL(sigaction)(SIGQUIT, &quit, 0);
	}
	if (held)
		hold_release(&hold);
}

/* The shell begins with the signals that the caller had before. */
static int spawn_shell(pid_t *pid, const char *command, const sigset_t *mask)
{
	char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, 0};
	posix_spawnattr_t attributes;
	sigset_t reset;
	sigemptyset(&reset);
	if (interrupt.sa_handler != SIG_IGN)
		sigaddset(&reset, SIGINT);
	if (quit.sa_handler != SIG_IGN)
		sigaddset(&reset, SIGQUIT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setsigdefault(&attributes, &reset);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	struct departure departure;
	departure_spawn(&departure, image_of(AT_FDCWD, SHELL), environ);
	int code = REAL(posix_spawn)(pid, SHELL, 0, &attributes, arguments, departure.environment);
	departure_spawned(&departure, "system", command, code, code ? 0 : *pid);
	posix_spawnattr_destroy(&attributes);
	return code;
}

struct command {
	pid_t pid;
	sigset_t mask;
};

/* The caller was cancelled: the command ends with it. */
static void cancelled(void *data)
{
	struct command *command = data;
	int status;
	system_call(SYS_kill, command->pid, SIGKILL);
	while (system_call(SYS_wait4, command->pid, &status, 0, 0) == -EINTR)
		;
	restore_keyboard();
	target_sigprocmask(SIG_SETMASK, &command->mask, 0);
}

static int wait_for(struct command *command)
{
	int status = -1;
	pid_t ended;
	struct rusage usage;
	pthread_cleanup_push(cancelled, command);
	do
		ended = REAL(wait4)(command->pid, &status, 0, &usage);
	while (ended < 0 && errno == EINTR);
	pthread_cleanup_pop(0);
	if (ended == command->pid)
		wait_reaped(ended, &usage);
	return ended == command->pid ? status : -1;
}

/* The shell's pid is told, too; 0: there is none. */
static int run(const char *text, pid_t *shell)
{
	struct command command = {.pid = 0};
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	ignore_keyboard();
	target_sigprocmask(SIG_BLOCK, &child, &command.mask);
	int code = spawn_shell(&command.pid, text, &command.mask);
	int status = code ? STATUS_NO_SHELL : wait_for(&command);
	int after = errno;
	*shell = code ? 0 : command.pid;
	restore_keyboard();
	target_sigprocmask(SIG_SETMASK, &command.mask, 0);
	errno = code ? code : after;
	return status;
}

INTERPOSE int system(const char *command)
{
	if (!collector_recording() && !collector.carried)
		return BLOCKING_CALL(int, STATE_CHILD, REAL(system)(command));
	pid_t shell = 0;
	if (!command)
		return run("exit 0", &shell) == 0;
	return BLOCKING_CALL_CHILD(int, shell, run(command, &shell));
}
