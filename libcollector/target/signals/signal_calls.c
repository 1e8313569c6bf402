/* SPDX-License-Identifier: Apache-2.0 */
/* Making such a call with what the target believes. The kernel itself looks first at what it is given: numbers, sizes and
   addresses that it refuses are refused as without us, and no address is read that cannot be. */
#include "signal_calls.h"
#include "alternate_stack.h"
#include "interpose.h"
#include "signal_mask.h"
#include <errno.h>
#include <unistd.h>

/* As the kernel has it: arch/x86/include/uapi/asm/signal.h, include/uapi/asm-generic/signal.h. */
struct kernel_action {
	__sighandler_t handler;
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static struct sigaction for_libc(const struct kernel_action *action)
{
	struct sigaction result = {.sa_flags = (int)action->flags, .sa_restorer = action->restorer};
	result.sa_handler = action->handler;
	mask_to(&result.sa_mask, action->mask);
	return result;
}

static struct kernel_action for_kernel(const struct sigaction *action)
{
	return (struct kernel_action){action->sa_handler, (unsigned long)(unsigned)action->sa_flags,
		action->sa_restorer, mask_of(&action->sa_mask)};
}

/* The call is the target's own, and so are these: they go as it would, by libc's function, with its errno.
   The kernel reads the new action before it refuses SIGKILL's, and writes the old one of the signal where it is asked for. */
static bool accepted_action(int signal, const struct kernel_action *action, struct kernel_action *before, long size)
{
	if (action && REAL(syscall)(SYS_rt_sigaction, SIGKILL, action, 0, size) != 0 && errno == EFAULT)
		return false;
	return REAL(syscall)(SYS_rt_sigaction, signal, 0, before, size) == 0;
}

static long set_action(int signal, const struct kernel_action *action, struct kernel_action *before, long size)
{
	struct sigaction wanted, old;
	int saved = errno;
	if (!accepted_action(signal, action, before, size))
		return -1;
	errno = saved;
	if (action)
		wanted = for_libc(action);
	if (target_sigaction(signal, action ? &wanted : 0, &old) != 0)
		return -1;
	if (before)
		*before = for_kernel(&old);
	return 0;
}

/* With an impossible `how` the kernel reads the set and changes nothing. */
static bool accepted_mask(const uint64_t *set, uint64_t *before, long size)
{
	if (set && (REAL(syscall)(SYS_rt_sigprocmask, -1, set, 0, size), errno) != EINVAL)
		return false;
	return REAL(syscall)(SYS_rt_sigprocmask, SIG_BLOCK, 0, before, size) == 0;
}

static long set_mask(int how, const uint64_t *set, uint64_t *before, long size)
{
	sigset_t wanted, old;
	int saved = errno;
	if (!accepted_mask(set, before, size))
		return -1;
	errno = saved;
	sigemptyset(&wanted);
	if (set)
		mask_to(&wanted, *set);
	int code = target_kernel_mask(how, set ? &wanted : 0, &old);
	if (code < 0) {
		errno = -code;
		return -1;
	}
	if (before)
		*before = mask_of(&old);
	return 0;
}

long signal_call(long number, long a, long b, long c, long size)
{
	if (number == SYS_rt_sigprocmask)
		return set_mask((int)a, (const uint64_t *)b, (uint64_t *)c, size);
	if (number == SYS_sigaltstack)
		return target_alternate_stack((const stack_t *)a, (stack_t *)b);
	if (target_action_is_ours((int)a))
		return set_action((int)a, (const struct kernel_action *)b, (struct kernel_action *)c, size);
	return REAL(syscall)(number, a, b, c, size);
}
