/* SPDX-License-Identifier: Apache-2.0 */
/* The target's own use of the number of our signal. */
#include "target_signal.h"
#include "interpose.h"
#include "signal_mask.h"
#include "thread.h"

bool signals_virtual;

/* Signals of our number that came while the target believed to have them blocked. */
enum { WAITING_MOST = 64 };
enum waiting_state { EMPTY, WRITING, FULL };
static struct {
	int state; /* atomic: enum waiting_state */
	uint64_t order;
	siginfo_t info;
} waiting[WAITING_MOST];
static uint64_t last_order; /* atomic */

static struct sigaction believed[_NSIG]; /* by number; of those for which the kernel has our handler */
static int flags_of_libc;
#define NEVER_BLOCKED (1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))

static struct sigaction *virtual_of(int signal)
{
	return &believed[signal];
}

void target_action_remember(int signal, const struct sigaction *action)
{
	*virtual_of(signal) = *action;
}

void target_action_flags(int flags)
{
	flags_of_libc = flags;
}

int target_action(int signal, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction *kept = virtual_of(signal);
	uint64_t mask = kernel_mask(SIG_BLOCK, ALL_SIGNALS);
	struct sigaction old = *kept;
	if (action) {
		*kept = *action;
		kept->sa_flags |= flags_of_libc;
		mask_to(&kept->sa_mask, mask_of(&action->sa_mask) & ~NEVER_BLOCKED);
	}
	kernel_mask(SIG_SETMASK, mask);
	if (before)
		*before = old;
	return 0;
}

bool target_ignores(int signal)
{
	return virtual_of(signal)->sa_handler == SIG_IGN;
}

bool target_has_default(int signal)
{
	return virtual_of(signal)->sa_handler == SIG_DFL;
}

bool target_has_handler(int signal)
{
	return !target_ignores(signal) && !target_has_default(signal);
}

bool target_ignores_our_signal(void)
{
	return target_ignores(OUR_SIGNAL);
}

bool target_handles_our_signal(void)
{
	return target_has_handler(OUR_SIGNAL);
}

bool target_blocks(void)
{
	return current_thread && current_thread->target_blocks_our_signal;
}

static void keep(const siginfo_t *info)
{
	for (unsigned i = 0; i < WAITING_MOST; i++) {
		int empty = EMPTY;
		if (!__atomic_compare_exchange_n(
			    &waiting[i].state, &empty, WRITING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		waiting[i].info = *info;
		waiting[i].order = __atomic_add_fetch(&last_order, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&waiting[i].state, FULL, __ATOMIC_RELEASE);
		return;
	}
}

bool target_signal_waits(void)
{
	for (unsigned i = 0; i < WAITING_MOST; i++)
		if (__atomic_load_n(&waiting[i].state, __ATOMIC_ACQUIRE) == FULL)
			return true;
	return false;
}

bool target_signal_take(siginfo_t *info)
{
	for (;;) {
		int oldest = -1;
		for (int i = 0; i < WAITING_MOST; i++)
			if (__atomic_load_n(&waiting[i].state, __ATOMIC_ACQUIRE) == FULL &&
				(oldest < 0 || waiting[i].order < waiting[oldest].order))
				oldest = i;
		if (oldest < 0)
			return false;
		int full = FULL;
		if (!__atomic_compare_exchange_n(
			    &waiting[oldest].state, &full, WRITING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		*info = waiting[oldest].info;
		__atomic_store_n(&waiting[oldest].state, EMPTY, __ATOMIC_RELEASE);
		return true;
	}
}

void target_set_blocks(bool blocks)
{
	if (!current_thread || current_thread->target_blocks_our_signal == blocks)
		return;
	current_thread->target_blocks_our_signal = blocks;
	siginfo_t info;
	while (!blocks && target_signal_take(&info))
		system_call(SYS_rt_tgsigqueueinfo, system_call(SYS_getpid), system_call(SYS_gettid), OUR_SIGNAL, &info);
}

static void die_by(int signal)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	REAL(sigaction)(signal, &action, 0);
	kernel_mask(SIG_UNBLOCK, 1ull << (signal - 1));
	system_call(SYS_tgkill, system_call(SYS_getpid), system_call(SYS_gettid), signal);
}

/* Calls the target's handler as the kernel would: our handler has all signals blocked. */
static void call_handler(int signal, siginfo_t *info, ucontext_t *context)
{
	struct sigaction *kept = virtual_of(signal);
	struct sigaction action = *kept;
	if (action.sa_flags & (int)SA_RESETHAND)
		kept->sa_handler = SIG_DFL;
	uint64_t mask = mask_of(&context->uc_sigmask) | (mask_of(&action.sa_mask) & ~OUR_BIT);
	if (!(action.sa_flags & SA_NODEFER))
		mask |= 1ull << (signal - 1);
	kernel_mask(SIG_SETMASK, mask);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(signal, info, context);
	else
		action.sa_handler(signal);
	kernel_mask(SIG_BLOCK, ALL_SIGNALS);
}

void target_signal_deliver(int signal, siginfo_t *info, ucontext_t *context, bool blocked)
{
	void (*handler)(int) = virtual_of(signal)->sa_handler;
	if (signal == OUR_SIGNAL && blocked)
		keep(info);
	else if (handler == SIG_DFL)
		die_by(signal);
	else if (handler != SIG_IGN)
		call_handler(signal, info, context);
}
