// SPDX-License-Identifier: Apache-2.0
// Stands in front of libc's functions for signals, as run-times and sandboxes do: each goes on to the next one in line, and asks
// the line for something else first. A library, in LD_PRELOAD or linked into a program (tests/end-to-end/signal-wrappers.sh).
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define NEXT(name) ((__typeof__(&name))next(#name))

static void *next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);
	if (!function)
		abort();
	return function;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	return NEXT(sigprocmask)(how, set, before);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t now;
	if (sigprocmask(SIG_BLOCK, 0, &now) != 0)
		return -1;
	return NEXT(pthread_sigmask)(how, set, before);
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	sigset_t none, now;
	sigemptyset(&none);
	pthread_sigmask(SIG_BLOCK, &none, &now);
	return NEXT(sigaction)(signal, action, before);
}

sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction now;
	if (sigaction(number, 0, &now) != 0)
		return SIG_ERR;
	return NEXT(signal)(number, handler);
}

int sigaltstack(const stack_t *stack, stack_t *before)
{
	stack_t now;
	if (NEXT(sigaltstack)(0, &now) != 0)
		return -1;
	return NEXT(sigaltstack)(stack, before);
}
