/* SPDX-License-Identifier: Apache-2.0 */
/* Starting the target, waiting for it, ending like it: see run.h. */
#include "run.h"
#include "debugger.h"
#include "forward.h"
#include "founder_stops.h"
#include "message.h"
#include "sampler.h"
#include "witness.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void run_block_signals(struct inherited *inherited)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &inherited->mask);
	/* An ignored SIGCHLD would let the kernel reap the target, and its status would be lost. */
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &standard, &inherited->child);
}

uint64_t run_hold_signal(struct inherited *inherited, int number)
{
	if (number == 0 || sigismember(&inherited->mask, number))
		return 0;
	sigaddset(&inherited->mask, number);
	return 1ull << (number - 1);
}

static void start_line(const char *experiment)
{
	dprintf(message_start_descriptor(), "Creating experiment directory %s (Process ID: %ld) ...\n", experiment,
		(long)getpid());
	/* If nobody reads it, that must not end the target. */
	sigset_t pipe_only;
	const struct timespec now = {0};
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigtimedwait(&pipe_only, 0, &now);
}

/* Returns the errno value of what failed. */
static int become_target(const struct target *target, char **argv, const struct inherited *inherited)
{
	sigaction(SIGCHLD, &inherited->child, 0);
	sigprocmask(SIG_SETMASK, &inherited->mask, 0);
	execv(target->path, argv);
	if (errno != ENOEXEC || !target->kind.shell_script)
		return errno;
	size_t count = 0;
	while (argv[count])
		count++;
	char **shell = calloc(count + 2, sizeof *shell);
	if (!shell)
		return ENOMEM;
	shell[0] = "sh";
	shell[1] = (char *)target->path;
	for (size_t i = 1; i < count; i++)
		shell[i + 1] = argv[i];
	execv("/bin/sh", shell);
	return errno;
}

bool run_over_ourselves(const struct target *target, char **argv, const char *experiment,
	const struct inherited *inherited, struct error *error)
{
	if (experiment)
		start_line(experiment);
	int code = become_target(target, argv, inherited);
	return error_set(error, "execvp of %s failed: %s", target->path, strerror(code));
}

static void kill_and_reap(pid_t child)
{
	int status;
	kill(child, SIGKILL);
	waitpid(child, &status, __WALL);
}

/* Handles one stop, continuation or end of the child; true at its end. */
static bool child_changed(pid_t child, struct founder_stops *stops, struct outcome *outcome)
{
	for (;;) {
		pid_t pid = wait4(child, &outcome->status, WNOHANG | WUNTRACED | WCONTINUED, &outcome->usage);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid == 0)
			return false;
		if (pid < 0 || WIFEXITED(outcome->status) || WIFSIGNALED(outcome->status))
			return true;
		if (WIFSTOPPED(outcome->status)) {
			founder_stopped(stops, child);
			stop_like(child, WSTOPSIG(outcome->status));
		} else {
			founder_continued(stops);
		}
	}
}

static void wait_for(pid_t child, struct witness *witness, struct sampler *sampler, struct founder_stops *stops,
	struct outcome *outcome)
{
	sigset_t all;
	sigfillset(&all);
	for (;;) {
		siginfo_t info;
		struct timespec time;
		int number = sampler_wait(sampler, &time) ? sigtimedwait(&all, &info, &time) : sigwaitinfo(&all, &info);
		sampler_take(sampler);
		if (number == SIGCHLD) {
			if (child_changed(child, stops, outcome))
				return;
		} else if (number > 0) {
			forward_signal(child, &info, witness);
		}
	}
}

static void wait_and_sample(
	pid_t child, struct witness *witness, const struct created *created, struct outcome *outcome)
{
	struct sampler *sampler = sampler_start(created, child);
	struct founder_stops stops;
	founder_stops_start(&stops, created);
	wait_for(child, witness, sampler, &stops, outcome);
	founder_stops_end(&stops);
	sampler_end(sampler);
}

/* Between fork and exec: the child waits at `start` for its parent's permission, and says by `failed` what its exec
   met. Both ends close without a word when the exec succeeds. */
struct launch {
	int start[2], failed[2];
};

static void close_both(int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static bool make_pipes(struct launch *launch)
{
	if (pipe2(launch->start, O_CLOEXEC) != 0)
		return false;
	if (pipe2(launch->failed, O_CLOEXEC) == 0)
		return true;
	int code = errno;
	close_both(launch->start);
	errno = code;
	return false;
}

_Noreturn static void be_child(const struct launch *launch, const struct target *target, char **argv,
	const char *experiment, const struct inherited *inherited)
{
	char permission;
	close(launch->start[1]);
	close(launch->failed[0]);
	/* The end of the pipe without a word: the parent has given up, or was killed. */
	if (read(launch->start[0], &permission, 1) == 1) {
		start_line(experiment);
		int code = become_target(target, argv, inherited);
		ssize_t ignored = write(launch->failed[1], &code, sizeof code);
		(void)ignored;
	}
	_exit(127);
}

/* Lets the child go on and waits until it has exec'd or failed to. */
static bool let_start(const struct launch *launch, const struct target *target, struct error *error)
{
	int code;
	ssize_t size = write(launch->start[1], "", 1);
	close(launch->start[1]);
	do {
		size = read(launch->failed[0], &code, sizeof code);
	} while (size < 0 && errno == EINTR);
	return size != (ssize_t)sizeof code ||
	       error_set(error, "execvp of %s failed: %s", target->path, strerror(code));
}

static bool start_child(
	const struct launch *launch, pid_t child, const struct target *target, bool for_debugger, struct error *error)
{
	if (for_debugger && !debugger_watch(child, error)) {
		close(launch->start[1]);
		return false;
	}
	if (!let_start(launch, target, error))
		return false;
	if (for_debugger) {
		if (!debugger_leave_stopped(child, error))
			return false;
		dprintf(message_start_descriptor(), "Waiting for attach from debugger: pid=%ld\n", (long)child);
	}
	return true;
}

bool run_child(const struct target *target, char **argv, const struct created *created,
	const struct inherited *inherited, bool for_debugger, struct outcome *outcome, struct error *error)
{
	struct launch launch;
	struct witness witness;
	if (!make_pipes(&launch))
		return error_set(error, "Cannot start the target: %s", strerror(errno));
	witness_start(&witness);
	pid_t child = fork();
	if (child < 0) {
		error_set(error, "Cannot start the target: %s", strerror(errno));
		close_both(launch.start);
		close_both(launch.failed);
		witness_end(&witness);
		return false;
	}
	if (child == 0)
		be_child(&launch, target, argv, created->path, inherited);
	close(launch.start[0]);
	close(launch.failed[1]);
	bool started = start_child(&launch, child, target, for_debugger, error);
	close(launch.failed[0]);
	outcome->pid = child;
	if (started)
		wait_and_sample(child, &witness, created, outcome);
	else
		kill_and_reap(child);
	witness_end(&witness);
	return started;
}

_Noreturn void run_end_by_signal(int number)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	/* A core pattern that is a pipe does not heed the limit. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	signal(number, SIG_DFL);
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, 0);
	_exit(128 + number);
}

_Noreturn void run_end_like(int status)
{
	if (WIFSIGNALED(status))
		run_end_by_signal(WTERMSIG(status));
	_exit(WEXITSTATUS(status));
}
