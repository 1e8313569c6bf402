// SPDX-License-Identifier: Apache-2.0
// Makes children as browsers do, which then work for so much CPU time:
//   own_children small MILLISECONDS   by clone() on a little room in the middle of the own stack, from where the child jumps back
//                                     to the stack that it has a copy of
//   own_children reset MILLISECONDS   by fork(), with all signals blocked; the child gives every signal its default action and
//                                     unblocks them all, by system calls of its own
// Prints what the children see, and how they end.
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SMALL_STACK = 4096, SIGNALS = 64 };
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static volatile unsigned long sink;
static clock_t wanted;

__attribute__((noinline)) static void in_child(void)
{
	clock_t start = clock();
	while (clock() - start < wanted)
		for (int i = 0; i < 10000; i++)
			sink += (unsigned)i;
	_exit(23);
}

static int jump_back(void *place)
{
	longjmp(*(jmp_buf *)place, 1);
}

__attribute__((noinline)) static pid_t clone_on_own_stack(jmp_buf *place)
{
	char room[SMALL_STACK] __attribute__((aligned(16)));
	return clone(jump_back, room + sizeof room, SIGCHLD, place);
}

static pid_t make_small(void)
{
	jmp_buf place;
	if (setjmp(place) == 0)
		return clone_on_own_stack(&place);
	in_child();
	return -1;
}

static long action_of(int signal, const struct kernel_action *action, struct kernel_action *before)
{
	return syscall(SYS_rt_sigaction, signal, action, before, sizeof(uint64_t));
}

static void reset_signals(void)
{
	for (int signal = 1; signal <= SIGNALS; signal++) {
		struct kernel_action before = {0}, usual = {0}, after = {0};
		errno = 0;
		long got = action_of(signal, 0, &before), set = action_of(signal, &usual, 0),
		     again = action_of(signal, 0, &after);
		if (before.handler || before.flags || before.mask || after.handler || got || set || again)
			printf("%d: %ld %ld %ld %d handler %d flags %lx mask %lx, then %d\n", signal, got, set, again,
				errno, before.handler != 0, before.flags, (unsigned long)before.mask,
				after.handler != 0);
	}
	uint64_t all = ~0ull, none = 0, before = 0;
	long result = syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, &before, sizeof before);
	printf("mask %ld %lx", result, (unsigned long)before);
	result = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof before);
	printf(", %ld %lx", result, (unsigned long)before);
	result = syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, &before, sizeof before);
	printf(", %ld %lx\n", result, (unsigned long)before);
}

// Calls that the kernel refuses.
static void ask_wrongly(void)
{
	static const int signals[] = {0, SIGKILL, SIGUSR1, 61, SIGNALS, 65};
	struct kernel_action usual = {0};
	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
		int codes[4] = {0};
		if (action_of(signals[i], (void *)-8, 0) != 0)
			codes[0] = errno;
		if (action_of(signals[i], 0, (void *)-8) != 0)
			codes[1] = errno;
		if (action_of(signals[i], &usual, 0) != 0)
			codes[2] = errno;
		if (syscall(SYS_rt_sigaction, signals[i], &usual, 0, 4) != 0)
			codes[3] = errno;
		printf("%d: %d %d %d %d\n", signals[i], codes[0], codes[1], codes[2], codes[3]);
	}
	uint64_t none = 0;
	long bad = syscall(SYS_rt_sigprocmask, SIG_BLOCK, (void *)-8, 0, 8);
	printf("%ld %d", bad, errno);
	bad = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &none, (void *)-8, 8);
	printf(", %ld %d", bad, errno);
	bad = syscall(SYS_rt_sigprocmask, 17, &none, 0, 8);
	printf(", %ld %d\n", bad, errno);
}

static pid_t make_reset(void)
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t child = fork();
	if (child != 0) {
		sigprocmask(SIG_SETMASK, &before, 0);
		return child;
	}
	reset_signals();
	ask_wrongly();
	fflush(stdout);
	in_child();
	return -1;
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	wanted = (clock_t)(atof(arguments[2]) * CLOCKS_PER_SEC / 1000);
	for (int i = 0; i < 4; i++) {
		fflush(stdout);
		pid_t child = !strcmp(arguments[1], "small") ? make_small() : make_reset();
		int status = -1;
		waitpid(child, &status, 0);
		printf("child %x\n", (unsigned)status);
	}
	return 3;
}
