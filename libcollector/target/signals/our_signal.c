/* SPDX-License-Identifier: Apache-2.0 */
/* Our signal's handler, and when it is blocked. */
#include "our_signal.h"
#include "alternate_stack.h"
#include "architecture.h"
#include "collector.h"
#include "control_signal.h"
#include "gates.h"
#include "interpose.h"
#include "kind.h"
#include "mapped_code.h"
#include "signal_mask.h"
#include "target_signal.h"
#include "thread.h"
#include "thread_pointer.h"
#include "threads.h"
#include "watched_wait.h"
#include <errno.h>

struct wait_watcher wait_watcher;

void waits_watch(struct wait_watcher watcher)
{
	wait_watcher = watcher;
	kinds_tell_waits();
}

static bool stopped;
static bool
	forked; /* the next thread to start is the one that forked: its mask shows what is held, not what the target set */
static bool blocked_before_fork;

/* The signal was sent for the thread: by that kind, or as a plain SIGIO by one that is not known. */
struct ours {
	bool yes;
	const struct kind_operations *kind; /* 0: not known */
};

__attribute__((hot)) static struct ours find_owner(const struct thread *thread, int signal, const siginfo_t *info)
{
	const struct kind_operations *kind = signal == OUR_SIGNAL ? kinds_owner(thread, info) : 0;
	bool fallen_back = signal == SIGIO && info->si_code == SI_KERNEL && kinds_may_fall_back(thread);
	return (struct ours){kind || fallen_back, kind};
}

bool our_signal_owns(int signal, const siginfo_t *info)
{
	return find_owner(current_thread, signal, info).yes;
}

__attribute__((hot)) static void take(
	struct thread *thread, struct ours ours, const siginfo_t *info, const ucontext_t *context)
{
	if (ours.kind)
		ours.kind->take(thread, info, context);
	else
		kinds_take_fallen_back(thread, context);
	if (collector_recording())
		mapped_code_tick(registers_of(context)[SAVED_PC]);
}

void our_signal_skip(const siginfo_t *info)
{
	struct ours ours = find_owner(current_thread, info->si_signo, info);
	if (ours.kind)
		ours.kind->skip(current_thread, info);
	else
		kinds_skip_fallen_back(current_thread, info);
}

/* Thread-local storage is not libc's: the thread is found by the kernel's id. The target's handler, if there is one, was made
   for that. */
static __attribute__((noinline)) void on_signal_elsewhere(int signal, siginfo_t *info, void *context)
{
	struct thread *thread = thread_find((pid_t)system_call(SYS_gettid));
	struct ours ours = find_owner(thread, signal, info);
	if (!ours.yes) {
		target_signal_deliver(signal, info, context, thread && thread->target_blocks_our_signal);
		return;
	}
	if (!thread)
		return;
	count(TALLY_clock_ticks_foreign, 1);
	unsigned gates = gates_shut(thread);
	thread->elsewhere = true;
	take(thread, ours, info, context);
	thread->elsewhere = false;
	gates_open(thread, gates);
}

/* Also of SIGIO: the kernel sends a plain one in place of a signal that it cannot queue (RLIMIT_SIGPENDING). The gates
   are shut outermost, so that nothing of the handler is counted. */
__attribute__((hot)) static void on_signal(int signal, siginfo_t *info, void *context)
{
	if (__builtin_expect(!thread_pointer_is_libcs(), 0)) {
		on_signal_elsewhere(signal, info, context);
		return;
	}
	int saved = errno;
	struct thread *thread = current_thread;
	struct ours ours = find_owner(thread, signal, info);
	if (!ours.yes) {
		target_signal_deliver(signal, info, context, target_blocks());
		errno = saved;
		return;
	}
	unsigned gates = gates_shut(thread);
	take(thread, ours, info, context);
	kinds_handler_ends(thread);
	errno = saved;
	gates_open(thread, gates);
}

/* All signals wait for the end of our handlers, also libc's two (cancellation, and set*id in all threads), which sigfillset
   leaves out: a handler that jumped out of ours would leave it undone. */
static bool install(int signal, void (*handler)(int, siginfo_t *, void *), struct sigaction *before)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = OUR_HANDLER_FLAGS};
	mask_to(&action.sa_mask, ALL_SIGNALS);
	return REAL(sigaction)(signal, &action, before) == 0;
}

void our_signal_guard_sigio(void)
{
	install(SIGIO, on_signal, 0);
}

bool our_signal_guards_sigio(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

void our_signal_start(void)
{
	stopped = false;
	struct sigaction before, after;
	thread_pointer_start();
	if (signals_virtual || !install(OUR_SIGNAL, on_signal, &before)) /* installed: in a fork child */
		return;
	target_action_remember(OUR_SIGNAL, &before);
	if (REAL(sigaction)(OUR_SIGNAL, 0, &after) == 0)
		target_action_flags(after.sa_flags & ~OUR_HANDLER_FLAGS);
	if (REAL(sigaction)(SIGIO, 0, &before) == 0 && before.sa_handler == SIG_DFL)
		our_signal_guard_sigio();
	signals_virtual = true;
}

void our_signal_stop(void)
{
	stopped = true;
}

void our_signal_thread_end(void)
{
	thread_pointer_forget();
	alternate_stack_end();
}

void our_signal_after_fork(void)
{
	forked = true;
	blocked_before_fork = target_blocks();
}

void our_signal_thread_start(void)
{
	if (!signals_virtual)
		return;
	alternate_stack_begin(); /* before the first signal, like the next */
	thread_pointer_remember();
	uint64_t before = kernel_mask(SIG_UNBLOCK, OUR_BIT);
	if (forked ? blocked_before_fork : (before & OUR_BIT) != 0)
		target_set_blocks(true);
	forked = false;
}

bool our_signal_holds(void)
{
	return signals_virtual && !stopped && !target_handles_our_signal();
}

bool our_signal_hold(void)
{
	if (!our_signal_holds())
		return false;
	struct thread *thread = thread_begin(); /* if nobody has seen it yet */
	if (!thread)
		return false;
	uint64_t control = control_signals_to_hold(), before = kernel_mask(SIG_BLOCK, OUR_BIT | control);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	/* Blocked already: by an outer wait that one of the target's handlers interrupted, and that goes on after it; or by
	   one that the target left by longjmp, which lies where we are now, or above the stack's end. */
	if ((before & OUR_BIT) && here < thread->held_at) {
		if (control & ~before)
			kernel_mask(SIG_UNBLOCK, control & ~before);
		return false;
	}
	thread->held_control = (control & ~before) | (before & OUR_BIT ? thread->held_control : 0);
	thread->held_at = here;
	wait_begun(__builtin_dwarf_cfa());
	return true;
}

void our_signal_release(bool held)
{
	if (!held)
		return;
	uint64_t control = 0;
	wait_ended(__builtin_dwarf_cfa());
	if (current_thread) { /* in a fork child there may be none any more */
		current_thread->held_at = 0;
		control = current_thread->held_control;
		current_thread->held_control = 0;
	}
	kernel_mask(SIG_UNBLOCK, OUR_BIT | control);
}

void our_signal_leave(void)
{
	if (current_thread && current_thread->held_at)
		our_signal_release(true);
}

void our_signal_give_back(void)
{
	struct sigaction action;
	if (!signals_virtual)
		return;
	alternate_stack_end();
	control_signals_give_back();
	if (target_action(OUR_SIGNAL, 0, &action) == 0)
		REAL(sigaction)(OUR_SIGNAL, &action, 0);
	if (REAL(sigaction)(SIGIO, 0, &action) == 0 && our_signal_guards_sigio(&action))
		REAL(signal)(SIGIO, SIG_DFL);
	if (blocked_before_fork)
		kernel_mask(SIG_BLOCK, OUR_BIT);
	signals_virtual = forked = false;
}

void our_signal_mask_for_exec(void)
{
	if (!signals_virtual)
		return;
	if (target_blocks())
		kernel_mask(SIG_BLOCK, OUR_BIT);
	control_signals_for_exec();
	if (target_ignores_our_signal())
		REAL(signal)(OUR_SIGNAL, SIG_IGN);
}

void our_signal_mask_after_exec(void)
{
	if (!signals_virtual)
		return;
	control_signals_after_exec();
	if (target_ignores_our_signal())
		install(OUR_SIGNAL, on_signal, 0);
	kernel_mask(SIG_UNBLOCK, OUR_BIT);
}
