/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls that set or show a mask: our signal is taken out on the way to the kernel, and shown as the
   target believes it to be on the way back. */
#include "collector.h"
#include "interpose.h"
#include "signal_mask.h"
#include "target_signal.h"
#include <pthread.h>
#include <sys/signalfd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sighold and sigrelse must be stood in front of, too */

typedef int mask_function(int how, const sigset_t *set, sigset_t *before);

/* libunwind blocks all signals around its locks, in our handler: that is to be so. */
static bool is_of_libunwind(void)
{
	return __builtin_expect(collector.settings.unwinder != UNWINDER_OWN, 0) && current_thread &&
	       current_thread->inside;
}

/* `real` returns 0 or something else for an error. */
static int change_mask(mask_function *real, int how, const sigset_t *set, sigset_t *before)
{
	if (!signals_virtual || is_of_libunwind())
		return real(how, set, before);
	bool had = target_blocks(), given = set && mask_has_ours(set);
	sigset_t copy;
	if (set) /* unblocking mends what a longjmp out of a wait has left blocked */
		copy = mask_with_ours(set, how == SIG_UNBLOCK);
	int result = real(how, set ? &copy : 0, before);
	if (result != 0)
		return result;
	if (before)
		*before = mask_with_ours(before, had);
	if (set && (given || how == SIG_SETMASK))
		target_set_blocks(given && how != SIG_UNBLOCK);
	return 0;
}

int target_sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(REAL(sigprocmask), how, set, before);
}

/* libc leaves its own two signals out of what it gives the kernel. */
static int by_kernel(int how, const sigset_t *set, sigset_t *before)
{
	return (int)system_call(SYS_rt_sigprocmask, how, set, before, sizeof(uint64_t));
}

int target_kernel_mask(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(by_kernel, how, set, before);
}

INTERPOSE int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(REAL(sigprocmask), how, set, before);
}

INTERPOSE int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(REAL(pthread_sigmask), how, set, before);
}

/* The BSD calls know signals up to 31: sigblock and siggetmask never touch ours, sigsetmask unblocks all others. */
INTERPOSE int sigsetmask(int mask)
{
	int before = REAL(sigsetmask)(mask);
	if (signals_virtual)
		target_set_blocks(false);
	return before;
}

INTERPOSE int sighold(int signal)
{
	if (!signals_virtual || signal != OUR_SIGNAL)
		return REAL(sighold)(signal);
	target_set_blocks(true);
	return 0;
}

INTERPOSE int sigrelse(int signal)
{
	if (!signals_virtual || signal != OUR_SIGNAL)
		return REAL(sigrelse)(signal);
	target_set_blocks(false);
	return 0;
}

INTERPOSE int sigpending(sigset_t *set)
{
	int result = REAL(sigpending)(set);
	if (result == 0 && signals_virtual)
		*set = mask_with_ours(set, target_blocks() && target_signal_waits());
	return result;
}

/* The headers declare masks as never null; what the target gives is the kernel's to refuse. */
static __attribute__((noinline)) const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
	if (!signals_virtual || !set)
		return set;
	*copy = mask_with_ours(set, false);
	return copy;
}

/* The target's own use of our number does not come through such a descriptor. */
INTERPOSE int signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;
	return REAL(signalfd)(fd, without_ours(set, &copy), flags);
}
