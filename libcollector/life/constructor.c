/* SPDX-License-Identifier: Apache-2.0 */
/* Where a process image begins and ends to be recorded. The library is linked so that its constructor runs before those of
   all others, libc's included (-z initfirst); where ld.so does not grant that, recording begins a little later and calls
   that come before are passed through. */
#include "collector.h"
#include "control_signal.h"
#include "environment_block.h"
#include "follow.h"
#include "interpose.h"
#include "kind_table.h"
#include "libunwind.h"
#include "lifetime.h"
#include "lineage.h"
#include "recording.h"
#include "system_calls.h"
#include "weak_libc.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads FOUNDER/settings. */
static bool load_settings(const char *founder)
{
	static char path[4096 + sizeof "/" SETTINGS_FILE], content[SETTINGS_TEXT_MAX];
	struct text text = {.bytes = path, .capacity = sizeof path - 1};
	unsigned line;
	text_string(&text, founder);
	text_string(&text, "/" SETTINGS_FILE);
	int fd = text.cut ? -1 : sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	size_t size = 0;
	for (long n; (n = sys_read(fd, content + size, sizeof content - size)) > 0;)
		size += (size_t)n;
	sys_close(fd);
	settings_default(&collector.settings);
	return settings_decode(&collector.settings, content, size, &line);
}

/* "USER,SYSTEM,PAUSED"; without the text this is the founder's first image. */
static void read_recorded(const char *text)
{
	uint64_t number[3] = {0, 0, text ? 0 : collector.settings.start_paused};
	for (unsigned i = 0; text && *text; text++) {
		if (*text == ',')
			i += i < 2;
		else
			number[i] = number[i] * 10 + (uint64_t)(*text - '0');
	}
	collector.recorded = (struct recorded_time){number[0], number[1]};
	recording_begin_paused((unsigned)number[2]);
}

static void at_exit(int status, void *unused)
{
	(void)status, (void)unused;
	collector_end("exit");
}

static void at_quick_exit_(void *unused)
{
	(void)unused;
	collector_end("quick_exit");
}

/* Exit handlers run in reverse order of registration, the destructors of all libraries among them: ours, which is there
   first, runs last. Not atexit(), which would bind it to this library's own, earlier end. */
static void register_exit(void)
{
	on_exit(at_exit, 0);
	__cxa_at_quick_exit(at_quick_exit_, 0);
}

static __attribute__((constructor)) void begin(int count, char **arguments, char **environment)
{
	/* Other C libraries give constructors no arguments. */
	kinds_are(kind_table);
	collector_begin_own_start();
	struct environment_values ours = environment_take(gnu_get_libc_version ? environment : environ);
	if (!ours.founder || !load_settings(ours.founder))
		return;
	if (!gnu_get_libc_version) {
		if (collector_find_founder())
			collector_refuse("not recorded: a program of another C library", 0);
		return;
	}
	read_recorded(ours.recorded);
	real_functions_resolve();
	if (collector.settings.unwinder != UNWINDER_OWN)
		libunwind_load(count, arguments, environment);
	register_exit();
	follow_start();
	if (collector_find_founder())
		lineage_start(ours.lineage ? ours.lineage : "");
	if (!ours.recorded)
		control_signals_release();
}

INTERPOSE __attribute__((noreturn)) void _exit(int status)
{
	collector_end("_exit");
	REAL(_exit)(status);
	__builtin_unreachable();
}

INTERPOSE __attribute__((noreturn)) void _Exit(int status)
{
	collector_end("_Exit");
	REAL(_Exit)(status);
	__builtin_unreachable();
}
