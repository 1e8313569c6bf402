/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of sigaltstack, and the stacks of ours. */
#include "alternate_stack.h"
#include "collector.h"
#include "free_list.h"
#include "interpose.h"
#include "layout.h"
#include "pages.h"
#include "signal_mask.h"
#include "target_signal.h"
#include "threads.h"
#include <errno.h>
#include <sys/mman.h>

/* Room for the kernel's frame (up to 12 KB with all that a processor may have to save), what our handlers need (5 KB, some
   more with libunwind), and a handler of the target's. */
enum { LARGE = 32 * 1024, OWN_SIZE = 128 * 1024, GUARD = PAGE_UNIT };

#define DISARMED ((int)(1u << 31)) /* SS_AUTODISARM, of linux/signal.h alone */

/* The calling thread's. It outlives thread_end(), and stays as it was in the child of a fork. */
static __thread struct {
	void *own;        /* what the kernel has; 0: it has what the target has set */
	stack_t believed; /* what the target has set */
} stack_of_thread;

/* Stacks that no thread has: behind a page that nobody may touch. */
static struct free_list unused;

static void *take(void)
{
	char *memory = free_list_take(&unused);
	if (memory)
		return memory;
	memory = pages_map(GUARD + OWN_SIZE);
	if (!memory)
		return 0;
	system_call(SYS_mprotect, memory, GUARD, PROT_NONE);
	return memory + GUARD;
}

static bool is_enough(const stack_t *stack)
{
	return !(stack->ss_flags & SS_DISABLE) && stack->ss_size >= LARGE;
}

/* The kernel has `believed`. */
static void provide(const stack_t *believed)
{
	if (!stack_of_thread.own)
		stack_of_thread.own = take();
	if (!stack_of_thread.own) {
		count(TALLY_threads_on_small_stack, 1);
		return;
	}
	stack_t ours = {.ss_sp = stack_of_thread.own, .ss_flags = believed->ss_flags & DISARMED, .ss_size = OWN_SIZE};
	stack_of_thread.believed = *believed;
	if (system_call(SYS_sigaltstack, &ours, 0) == 0)
		return;
	free_list_give(&unused, stack_of_thread.own);
	stack_of_thread.own = 0;
	count(TALLY_threads_on_small_stack, 1);
}

void alternate_stack_begin(void)
{
	stack_t now;
	if (!stack_of_thread.own && system_call(SYS_sigaltstack, 0, &now) == 0 && !is_enough(&now))
		provide(&now);
}

/* Not if the target has set another one by a bare system call. */
static bool kernel_has(const void *own)
{
	stack_t now;
	return own && system_call(SYS_sigaltstack, 0, &now) == 0 && now.ss_sp == own;
}

void alternate_stack_end(void)
{
	void *own = stack_of_thread.own;
	/* Refused in a handler that runs there, from which the thread ends: then the memory stays. */
	if (kernel_has(own) && system_call(SYS_sigaltstack, &stack_of_thread.believed, 0) == 0)
		free_list_give(&unused, own);
	stack_of_thread.own = 0;
}

/* The target is shown the stack that it believes to have. One flag is the kernel's: whether the thread runs on it, which is true
   of ours and of the target's alike. */
static void show_believed(stack_t *before)
{
	int on = before->ss_flags & SS_ONSTACK;
	*before = stack_of_thread.believed;
	if (!(before->ss_flags & SS_DISABLE))
		before->ss_flags |= on;
}

/* The kernel may have it back at a handler's return if it is disarmed meanwhile: then it stays. */
static void forget_own(void)
{
	if (stack_of_thread.own && !(stack_of_thread.believed.ss_flags & DISARMED))
		free_list_give(&unused, stack_of_thread.own);
	stack_of_thread.own = 0;
}

/* The kernel has taken what the target gave it. */
static void follow(const stack_t *stack)
{
	if (!is_enough(stack)) {
		stack_t disabled = {.ss_flags = SS_DISABLE};
		provide(stack->ss_flags & SS_DISABLE ? &disabled : stack);
	} else {
		forget_own();
	}
}

/* Whether the memory of this process, and so what is known of its threads, is its own: not in a child of vfork(). */
static bool is_own_process(void)
{
	return collector.process == (int)system_call(SYS_getpid);
}

/* The kernel looks at all that it is given, and refuses what it would refuse without us; both may be the same structure. */
static int set_stack(const stack_t *stack, stack_t *before, bool virtual)
{
	stack_t old, wanted = {.ss_flags = SS_DISABLE};
	if (REAL(sigaltstack)(stack, &old) != 0)
		return -1;
	if (stack)
		wanted = *stack;
	if (virtual && old.ss_sp != stack_of_thread.own)
		forget_own(); /* the target has set another one by a bare system call */
	else if (virtual && stack_of_thread.own)
		show_believed(&old);
	if (virtual && stack)
		follow(&wanted);
	if (before && REAL(sigaltstack)(0, before) != 0)
		return -1;
	if (before)
		*before = old;
	return 0;
}

int target_alternate_stack(const stack_t *stack, stack_t *before)
{
	/* Signals wait: one may come while the kernel has the target's small one. */
	uint64_t mask = kernel_mask(SIG_BLOCK, ALL_SIGNALS);
	int saved = errno, result = set_stack(stack, before, current_thread && is_own_process());
	if (result == 0)
		errno = saved;
	kernel_mask(SIG_SETMASK, mask);
	return result;
}

INTERPOSE int sigaltstack(const stack_t *stack, stack_t *before)
{
	return signals_virtual ? target_alternate_stack(stack, before) : REAL(sigaltstack)(stack, before);
}
