/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls that set or show a signal's action. Those for our signal's number, and for a SIGIO without
   a handler, are only remembered. */
#include "control_signal.h"
#include "interpose.h"
#include "signal_mask.h"
#include "target_signal.h"
#include <errno.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset and its kin must be stood in front of, too */

typedef int action_function(int signal, const struct sigaction *action, struct sigaction *before);
int __sigaction(int signal, const struct sigaction *action, struct sigaction *before);

static uint64_t interrupting;    /* atomic: bit N-1: siginterrupt() told signal() to leave SA_RESTART out */
static uint64_t masks_with_ours; /* atomic: bit N-1: the target put our signal into the mask of N's action */

static void set_bit(uint64_t *bits, int signal, bool set)
{
	uint64_t bit = 1ull << (signal - 1);
	if (set)
		__atomic_fetch_or(bits, bit, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(bits, ~bit, __ATOMIC_RELAXED);
}

static bool has_bit(const uint64_t *bits, int signal)
{
	return __atomic_load_n(bits, __ATOMIC_RELAXED) >> (signal - 1) & 1;
}

/* sigaction() on a signal whose handler the kernel knows: our signal stays out of its mask. */
static int real_action(action_function *real, int signal, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction copy;
	bool given = action && mask_has_ours(&action->sa_mask); /* `before` may be the same structure */
	if (action) {
		copy = *action;
		copy.sa_mask = mask_with_ours(&action->sa_mask, false);
	}
	int result = real(signal, action ? &copy : 0, before);
	if (result != 0)
		return result;
	if (before)
		before->sa_mask = mask_with_ours(&before->sa_mask, has_bit(&masks_with_ours, signal));
	if (action)
		set_bit(&masks_with_ours, signal, given);
	return 0;
}

static int sigio_action(action_function *real, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction kernel, wanted = action ? *action : (struct sigaction){0};
	int result = real(SIGIO, 0, &kernel);
	if (result != 0)
		return result;
	bool guarded = our_signal_guards_sigio(&kernel);
	if (before && guarded)
		target_action(SIGIO, 0, before);
	else if (before)
		real_action(real, SIGIO, 0, before);
	if (!action)
		return 0;
	if (wanted.sa_handler != SIG_DFL)
		return real_action(real, SIGIO, &wanted, 0);
	target_action(SIGIO, &wanted, 0);
	if (!guarded)
		our_signal_guard_sigio();
	return 0;
}

static int change_action(action_function *real, int signal, const struct sigaction *action, struct sigaction *before)
{
	if (!signals_virtual)
		return real(signal, action, before);
	if (signal == OUR_SIGNAL)
		return target_action(signal, action, before);
	if (is_control_signal(signal))
		return control_signal_action(signal, action, before);
	if (signal == SIGIO)
		return sigio_action(real, action, before);
	return real_action(real, signal, action, before);
}

int target_sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	return change_action(REAL(sigaction), signal, action, before);
}

INTERPOSE int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	return change_action(REAL(sigaction), signal, action, before);
}

INTERPOSE int __sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	return change_action(REAL(__sigaction), signal, action, before);
}

bool target_action_is_ours(int signal)
{
	return signals_virtual && (signal == OUR_SIGNAL || signal == SIGIO || is_control_signal(signal));
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags, bool mask_itself)
{
	struct sigaction before, action = {.sa_handler = handler, .sa_flags = flags};
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if ((flags & SA_RESTART) && has_bit(&interrupting, signal))
		action.sa_flags &= ~SA_RESTART;
	if (mask_itself)
		mask_to(&action.sa_mask, 1ull << (signal - 1));
	return change_action(REAL(sigaction), signal, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

#define SIGNAL_LIKE(name, flags, mask_itself)                                                                          \
	sighandler_t name(int number, sighandler_t handler);                                                           \
	INTERPOSE sighandler_t name(int number, sighandler_t handler)                                                  \
	{                                                                                                              \
		return target_action_is_ours(number) ? set_handler(number, handler, flags, mask_itself)                \
						     : REAL(name)(number, handler);                                    \
	}
SIGNAL_LIKE(signal, SA_RESTART, true)
SIGNAL_LIKE(bsd_signal, SA_RESTART, true)
SIGNAL_LIKE(ssignal, SA_RESTART, true)
SIGNAL_LIKE(sysv_signal, (int)SA_RESETHAND | SA_NODEFER, false)
SIGNAL_LIKE(__sysv_signal, (int)SA_RESETHAND | SA_NODEFER, false)

INTERPOSE sighandler_t sigset(int signal, sighandler_t handler)
{
	if (!target_action_is_ours(signal))
		return REAL(sigset)(signal, handler);
	sigset_t set, before;
	mask_to(&set, 1ull << (signal - 1));
	if (target_sigprocmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &set, &before) != 0)
		return SIG_ERR;
	bool held = (mask_of(&before) & mask_of(&set)) != 0;
	struct sigaction now;
	sighandler_t old = handler == SIG_HOLD
				   ? change_action(REAL(sigaction), signal, 0, &now) == 0 ? now.sa_handler : SIG_ERR
				   : set_handler(signal, handler, 0, false);
	return held && old != SIG_ERR ? SIG_HOLD : old;
}

INTERPOSE int sigignore(int signal)
{
	if (!target_action_is_ours(signal))
		return REAL(sigignore)(signal);
	return set_handler(signal, SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

INTERPOSE int siginterrupt(int signal, int interrupt)
{
	if (!target_action_is_ours(signal))
		return REAL(siginterrupt)(signal, interrupt);
	struct sigaction action;
	if (change_action(REAL(sigaction), signal, 0, &action) != 0)
		return -1;
	set_bit(&interrupting, signal, interrupt);
	action.sa_flags = interrupt ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
	return change_action(REAL(sigaction), signal, &action, 0);
}
