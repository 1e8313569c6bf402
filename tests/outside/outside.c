/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the collector's samples from outside: outside EVERY LOG COMMAND... runs COMMAND under ptrace and, at every
   EVERY-th delivery of the collector's signal to a thread, writes the stack that elfutils' unwinder finds. The registers of
   such a stop are those that the collector's handler is about to get. COMMAND is to replace itself by the recorded program
   (collect does when ER_TOOLS_LAUNCH=exec). Child processes are not followed. Ends as COMMAND ends.

   Lines of LOG: "tick THREAD ORDINAL MONOTONIC COUNTER", just before the thread goes on: nanoseconds of CLOCK_MONOTONIC and
   the processor's time counter; "walk THREAD ORDINAL FRAMES" before the tick that it belongs to, see outside_walk.h. */
#include "outside_walk.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { COLLECTORS_SIGNAL = 61 };
enum { THREADS = 1024 };

static struct {
	pid_t tid;
	unsigned long ticks;
} threads[THREADS];

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "outside: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

/* How many of the collector's signals the thread has got, with this one. */
static unsigned long next_ordinal(pid_t tid)
{
	for (int i = 0; i < THREADS; i++)
		if (threads[i].tid == tid || threads[i].tid == 0) {
			threads[i].tid = tid;
			return ++threads[i].ticks;
		}
	errno = ENOMEM;
	fail("too many threads");
}

/* Where the handler will see the thread: a system call that the signal interrupts is prepared to be started again first,
   which is done by its instruction of two bytes. */
static uint64_t interrupted_pc(pid_t tid)
{
	enum { RESTART_SYS = -512, RESTART_NO_INTERRUPT = -513 };
	struct user_regs_struct registers;
	if (ptrace(PTRACE_GETREGS, tid, 0, &registers) != 0)
		return 0;
	int64_t result = (int64_t)registers.rax;
	bool restarts = (int64_t)registers.orig_rax >= 0 && (result == RESTART_SYS || result == RESTART_NO_INTERRUPT);
	return registers.rip - 2 * restarts;
}

static void tick(FILE *log, pid_t pid, pid_t tid, unsigned long every)
{
	unsigned long ordinal = next_ordinal(tid);
	if (ordinal % every == 0) {
		fprintf(log, "walk %d %lu", tid, ordinal);
		outside_walk(log, pid, tid, interrupted_pc(tid));
	}
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	fprintf(log, "tick %d %lu %" PRIu64 " %" PRIu64 "\n", tid, ordinal,
		(uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, (uint64_t)__rdtsc());
}

static bool stops(int number)
{
	return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* Lets a stopped thread go on as it would have done without us. */
static void go_on(FILE *log, pid_t pid, pid_t tid, int status, unsigned long every)
{
	int number = WSTOPSIG(status), event = status >> 16;
	if (event == PTRACE_EVENT_STOP && stops(number)) {
		ptrace(PTRACE_LISTEN, tid, 0, 0);
		return;
	}
	if (event == PTRACE_EVENT_EXEC)
		outside_walk_forget();
	if (event == 0 && number == COLLECTORS_SIGNAL)
		tick(log, pid, tid, every);
	ptrace(PTRACE_CONT, tid, 0, event ? 0 : number);
}

/* Returns the wait status of the process. */
static int trace(FILE *log, pid_t pid, unsigned long every)
{
	for (;;) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			fail("waitpid");
		if (WIFSTOPPED(status))
			go_on(log, pid, tid, status, every);
		else if (tid == pid)
			return status;
	}
}

/* The command waits until it is traced. */
static pid_t start(char **command)
{
	int gate[2];
	char byte;
	if (pipe(gate) != 0)
		fail("pipe");
	pid_t pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		close(gate[1]);
		while (read(gate[0], &byte, 1) < 0 && errno == EINTR)
			;
		close(gate[0]);
		execvp(command[0], command);
		fail(command[0]);
	}
	long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	if (ptrace(PTRACE_SEIZE, pid, 0, options) != 0) {
		kill(pid, SIGKILL);
		fail("ptrace");
	}
	close(gate[0]);
	close(gate[1]);
	return pid;
}

int main(int argc, char **argv)
{
	unsigned long every = argc > 3 ? strtoul(argv[1], 0, 10) : 0;
	if (!every) {
		fprintf(stderr, "usage: outside EVERY LOG COMMAND...\n");
		return EXIT_FAILURE;
	}
	FILE *log = fopen(argv[2], "we");
	if (!log)
		fail(argv[2]);
	pid_t pid = start(argv + 3);
	int status = trace(log, pid, every);
	outside_walk_forget();
	if (fclose(log) != 0)
		fail(argv[2]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
