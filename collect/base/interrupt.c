/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at blocked signals: see interrupt.h. */
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>
#include <time.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define ENDING_COUNT (sizeof ending / sizeof *ending)

int interrupt_pending(void)
{
	sigset_t pending;
	sigpending(&pending);
	for (size_t i = 0; i < ENDING_COUNT; i++) {
		struct sigaction action;
		if (sigismember(&pending, ending[i]) == 1 && sigaction(ending[i], 0, &action) == 0 &&
			action.sa_handler != SIG_IGN)
			return ending[i];
	}
	return 0;
}

void interrupt_forget(void)
{
	const struct timespec now = {0};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < ENDING_COUNT; i++)
		sigaddset(&set, ending[i]);
	while (sigtimedwait(&set, 0, &now) > 0)
		;
}
