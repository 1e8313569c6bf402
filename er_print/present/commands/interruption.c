/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handler of SIGINT, and what it asks of the places where work can be given up. */
#include "interruption.h"
#include "ahead.h"
#include "clean_output.h"
#include "errands.h"
#include "progress.h"
#include "unfinished_file.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, prompting, reading_line;
static sigjmp_buf place;

/* By the signal itself, so that a shell knows. */
static void end(int signal_number)
{
	progress_clear();
	unfinished_file_remove();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void interrupt(int signal_number)
{
	if (reading_line)
		siglongjmp(place, 1);
	if (!prompting || interrupted)
		end(signal_number);
	interrupted = 1;
}

static void give_up(void)
{
	if (!interrupted)
		return;
	ahead_give_up();
	errands_give_up();
	siglongjmp(place, 1);
}

/* The output of a command that was interrupted is dropped. */
static bool may_print(void)
{
	progress_clear();
	return !interrupted;
}

void interruption_begin(void)
{
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART}, old;
	clean_output_set_gate(may_print);
	if (!sigaction(SIGINT, 0, &old) && old.sa_handler == SIG_IGN)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, 0);
	progress_set_checkpoint(give_up);
}

sigjmp_buf *interruption_place(void)
{
	prompting = 1;
	return &place;
}

void interruption_reading(bool reading)
{
	reading_line = reading;
}

bool interruption_take(void)
{
	bool taken = interrupted || reading_line;
	interrupted = reading_line = 0;
	if (taken)
		unfinished_file_remove();
	return taken;
}
