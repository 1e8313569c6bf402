/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of sigaltstack. */
#include "alternate_stack.h"
#include "control_signal.h"
#include "interpose.h"
#include "our_signal.h"
#include "signal_mask.h"
#include "target_signal.h"
#include <errno.h>
#include <sys/auxv.h>

/* What our handlers need besides the kernel's frame (some 5 KB), and the target's. */
#define HANDLER_SIZE 8192
#define FRAME_SIZE   4096 /* where the kernel does not say */

static bool small; /* set once, never taken back: which thread has which stack is not followed */

int our_handler_flags(void)
{
	return SA_SIGINFO | SA_RESTART | (__atomic_load_n(&small, __ATOMIC_RELAXED) ? 0 : SA_ONSTACK);
}

bool our_signal_waits_for_handler(int flags)
{
	return (flags & SA_ONSTACK) && __atomic_load_n(&small, __ATOMIC_RELAXED);
}

static bool is_ours(int signal, const struct sigaction *action)
{
	return signal == OUR_SIGNAL || is_control_signal(signal) ||
	       (signal == SIGIO && our_signal_guards_sigio(action));
}

static void change_actions(void)
{
	struct sigaction action;
	for (int signal = 1; signal < _NSIG; signal++) {
		if (REAL(sigaction)(signal, 0, &action) != 0 || !(action.sa_flags & SA_ONSTACK) ||
			action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
			continue;
		if (is_ours(signal, &action))
			action.sa_flags &= ~SA_ONSTACK;
		else
			action.sa_mask = mask_with_ours(&action.sa_mask, true);
		REAL(sigaction)(signal, &action, 0);
	}
}

/* A frame of the target's handler and one of ours on top of it must fit. */
static bool is_small(const stack_t *stack)
{
	size_t frame = getauxval(AT_MINSIGSTKSZ);
	return !(stack->ss_flags & SS_DISABLE) && stack->ss_size < 2 * (frame ? frame : FRAME_SIZE) + HANDLER_SIZE;
}

INTERPOSE int sigaltstack(const stack_t *stack, stack_t *before)
{
	/* Before the stack is there: a tick may come at once. */
	if (signals_virtual && stack && is_small(stack) && !__atomic_exchange_n(&small, true, __ATOMIC_ACQ_REL)) {
		int saved = errno;
		change_actions();
		errno = saved;
	}
	return REAL(sigaltstack)(stack, before);
}
