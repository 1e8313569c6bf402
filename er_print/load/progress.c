/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the line to the terminal itself: no report and no message may be mixed with it, so whoever writes clears it first. */
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 78, FIRST = 1000, AGAIN = 100 }; /* columns, milliseconds */
static bool on_terminal;
static uint64_t next; /* milliseconds: when the line is written next */
static volatile sig_atomic_t shown;
static void (*checkpoint)(void);

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* A terminal that is gone is no reason to stop. */
static void put(const char *text, size_t size)
{
	if (write(STDERR_FILENO, text, size) < 0)
		on_terminal = false;
}

void progress_begin(void)
{
	on_terminal = isatty(STDERR_FILENO);
	next = on_terminal ? now() + FIRST : 0;
}

void progress_show(const char *what, uint64_t done, uint64_t whole)
{
	char text[WIDTH + 2], share[16] = "";
	uint64_t time = on_terminal ? now() : 0;
	if (!on_terminal || time < next)
		return;
	next = time + AGAIN;
	if (whole)
		snprintf(share, sizeof share, " %" PRIu64 " %%", 100 * done / whole);
	snprintf(text, sizeof text, "er_print: %.50s%s", what, share);
	/* Names of files may hold anything; each byte is a column this way. */
	for (char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	size_t length = strlen(text);
	progress_clear();
	put(text, length);
	shown = (sig_atomic_t)length;
}

void progress_clear(void)
{
	static const char blanks[] = "                                                                              ";
	if (!shown)
		return;
	put("\r", 1);
	put(blanks, (size_t)shown);
	put("\r", 1);
	shown = 0;
}

void progress_checkpoint(void)
{
	if (checkpoint)
		checkpoint();
}

void progress_set_checkpoint(void (*function)(void))
{
	checkpoint = function;
}
