/* SPDX-License-Identifier: Apache-2.0 */
/* The handler of the user's signals, and what the program does with their numbers. */
#include "control_signal.h"
#include "alternate_stack.h"
#include "collector.h"
#include "interpose.h"
#include "our_signal.h"
#include "recording.h"
#include "sample.h"
#include "signal_mask.h"
#include "system_calls.h"
#include "target_signal.h"
#include "thread_pointer.h"
#include <errno.h>

static bool installed;
static unsigned warned; /* atomic: bit 0: of -y's, bit 1: of -l's */

static int pause_signal(void)
{
	return (int)collector.settings.pause_signal;
}

static int sample_signal(void)
{
	return (int)collector.settings.sample_signal;
}

bool is_control_signal(int signal)
{
	return installed && signal > 0 && (signal == pause_signal() || signal == sample_signal());
}

/* As the kernel would with the program's action, of which target_signal_deliver() knows all but these defaults. */
static void deliver_to_program(int signal, siginfo_t *info, void *context)
{
	if (!target_has_default(signal)) {
		target_signal_deliver(signal, info, context, false);
		return;
	}
	switch (signal) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
		break;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		system_call(SYS_kill, system_call(SYS_getpid), SIGSTOP);
		break;
	default:
		target_signal_deliver(signal, info, context, false);
	}
}

static void take(int signal, siginfo_t *info, void *context)
{
	/* The user sends by kill(1). Timers, children and sigqueue() are the program's own business. */
	if (info->si_code != SI_USER)
		deliver_to_program(signal, info, context);
	else if (!collector_recording() || !collector_is_recorded_process())
		; /* too late, or in a child that shares this memory until it execs */
	else if (signal == pause_signal())
		recording_toggle();
	else
		sample_take("signal");
}

/* errno is thread-local. */
static void on_control_signal(int signal, siginfo_t *info, void *context)
{
	bool has_errno = thread_pointer_is_libcs();
	int saved = has_errno ? errno : 0;
	take(signal, info, context);
	if (has_errno)
		errno = saved;
}

static void install(int signal, struct sigaction *before)
{
	struct sigaction action = {.sa_sigaction = on_control_signal, .sa_flags = OUR_HANDLER_FLAGS};
	sigfillset(&action.sa_mask);
	REAL(sigaction)(signal, &action, before);
}

static void start(int signal)
{
	struct sigaction before;
	install(signal, &before);
	target_action_remember(signal, &before);
}

void control_signals_start(void)
{
	if (installed || (!pause_signal() && !sample_signal()))
		return;
	our_signal_start();
	if (pause_signal())
		start(pause_signal());
	if (sample_signal())
		start(sample_signal());
	installed = true;
}

void control_signals_release(void)
{
	if (collector.settings.held_signals)
		kernel_mask(SIG_UNBLOCK, collector.settings.held_signals);
}

int control_signal_action(int signal, const struct sigaction *action, struct sigaction *before)
{
	bool pauses = signal == pause_signal();
	unsigned bit = pauses ? 1 : 2;
	if (action && !(__atomic_fetch_or(&warned, bit, __ATOMIC_RELAXED) & bit))
		collector_log("cwarn", pauses ? "the program sets an action for the signal of -y: what kill() sends "
						"pauses recording and does not reach it"
					      : "the program sets an action for the signal of -l: what kill() sends "
						"takes a sample and does not reach it");
	return target_action(signal, action, before);
}

static uint64_t bit_to_hold(int signal)
{
	return signal && !target_has_handler(signal) ? 1ull << (signal - 1) : 0;
}

uint64_t control_signals_to_hold(void)
{
	return installed ? bit_to_hold(pause_signal()) | bit_to_hold(sample_signal()) : 0;
}

static void for_exec(int number)
{
	if (number && target_ignores(number))
		REAL(signal)(number, SIG_IGN);
}

void control_signals_for_exec(void)
{
	if (!installed)
		return;
	for_exec(pause_signal());
	for_exec(sample_signal());
}

static void after_exec(int signal)
{
	if (signal && target_ignores(signal))
		install(signal, 0);
}

void control_signals_after_exec(void)
{
	if (!installed)
		return;
	after_exec(pause_signal());
	after_exec(sample_signal());
}

static void give_back(int signal)
{
	struct sigaction action;
	if (signal && target_action(signal, 0, &action) == 0)
		REAL(sigaction)(signal, &action, 0);
}

void control_signals_give_back(void)
{
	if (!installed)
		return;
	give_back(pause_signal());
	give_back(sample_signal());
	installed = false;
}
