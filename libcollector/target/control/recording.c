/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the present moment is recorded, and saying so when that changes. */
#include "recording.h"
#include "collector.h"
#include "event_log.h"
#include "guard.h"
#include "kind.h"
#include "place.h"
#include "sample.h"
#include "size_control.h"
#include "system_calls.h"
#include "text.h"
#include "thread.h"
#include "threads.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

enum reason { BY_SIGNAL = 1, BY_TIME = 2, BY_SIZE = 4, BY_PROGRAM = 8, REASONS = 4 };

static unsigned by_user; /* atomic: BY_SIGNAL or BY_PROGRAM, whichever paused it; 0: it may go on */
static unsigned told;    /* atomic: the reasons that the log knows of */
static bool always;      /* atomic: nothing pauses this recording, unless the program asks for it */

/* Shared by all processes of the experiment; by this one and its forks alone where the file cannot be had. */
static struct size_control fallback, *size_control = &fallback;

void recording_begin_paused(unsigned by)
{
	by_user = by & (BY_SIGNAL | BY_PROGRAM);
}

__attribute__((hot)) unsigned recording_paused_by_user(void)
{
	return __atomic_load_n(&by_user, __ATOMIC_RELAXED);
}

static void map_size_control(void)
{
	static char path[4096 + sizeof "/" SIZE_FILE];
	struct text text = {.bytes = path, .capacity = sizeof path - 1};
	if (!collector.settings.size_limit || size_control != &fallback)
		return;
	text_string(&text, collector.settings.founder);
	text_string(&text, "/" SIZE_FILE);
	path[text.size] = 0;
	int fd = text.cut ? -1 : sys_openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	void *mapped = place_map(sizeof *size_control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!sys_failed(mapped))
		size_control = mapped;
	sys_close(fd);
}

uint64_t *recording_space(void)
{
	return collector.settings.size_limit ? &size_control->used : 0;
}

static uint64_t since_start(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	uint64_t time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return time > collector.settings.start ? time - collector.settings.start : 0;
}

static unsigned reasons_now(void)
{
	const struct settings *settings = &collector.settings;
	unsigned reasons = recording_paused_by_user();
	if (settings->record_from || settings->record_until) {
		uint64_t now = since_start();
		if (now < settings->record_from || (settings->record_until && now >= settings->record_until))
			reasons |= BY_TIME;
	}
	if (settings->size_limit && __atomic_load_n(&size_control->used, __ATOMIC_RELAXED) >= settings->size_limit)
		reasons |= BY_SIZE;
	return reasons;
}

/* One line in the whole experiment. */
static void tell_size(void)
{
	if (__atomic_load_n(&size_control->told, __ATOMIC_RELAXED))
		return;
	struct log_line *line = event_log_try("cwarn");
	if (!line)
		return;
	if (__atomic_exchange_n(&size_control->told, 1, __ATOMIC_RELAXED)) {
		event_log_release();
		return;
	}
	event_log_end(line, collector.settings.heap
				    ? "the size limit of the experiment (-L) was reached: nothing more is recorded but "
				      "the releases of what was allocated before"
				    : "the size limit of the experiment (-L) was reached: nothing more is recorded");
}

static void write_reasons(struct log_line *line, unsigned reasons)
{
	static const char *const names[REASONS] = {"signal", "time", "size", "API"};
	char list[40];
	struct text text = {.bytes = list, .capacity = sizeof list - 1};
	for (unsigned i = 0; i < REASONS; i++) {
		if (!(reasons >> i & 1))
			continue;
		text_string(&text, text.size ? ", " : "");
		text_string(&text, names[i]);
	}
	list[text.size] = 0;
	log_text_attribute(line, "name", list);
}

static void tell(unsigned reasons)
{
	unsigned before = __atomic_exchange_n(&told, reasons, __ATOMIC_RELAXED);
	if (before == reasons)
		return;
	if (reasons & BY_SIZE)
		tell_size();
	/* A second reason changes nothing for who reads the log: it is paused as before. */
	if ((before == 0) == (reasons == 0))
		return;
	struct log_line *line = event_log_try(reasons ? "pause" : "resume");
	if (!line) { /* at the next tick */
		__atomic_store_n(&told, before, __ATOMIC_RELAXED);
		return;
	}
	write_reasons(line, reasons ? reasons : before);
	event_log_end(line, 0);
	sample_take(reasons ? "pause" : "resume");
}

void recording_start(void)
{
	const struct settings *settings = &collector.settings;
	always = !settings->pause_signal && !settings->record_from && !settings->record_until &&
		 !settings->size_limit && !recording_paused_by_user();
	told = 0;
	map_size_control();
}

__attribute__((hot)) static bool process_is_paused(void)
{
	if (__atomic_load_n(&always, __ATOMIC_RELAXED))
		return false;
	unsigned reasons = reasons_now();
	if (reasons != __atomic_load_n(&told, __ATOMIC_RELAXED))
		tell(reasons);
	return reasons != 0;
}

__attribute__((hot)) bool recording_paused_in(const struct thread *thread)
{
	return process_is_paused() || (thread && __atomic_load_n(&thread->paused, __ATOMIC_RELAXED));
}

__attribute__((hot)) bool recording_paused(void)
{
	return recording_paused_in(current_thread);
}

bool recording_full(void)
{
	return reasons_now() & BY_SIZE;
}

void recording_toggle(void)
{
	unsigned before = recording_paused_by_user();
	while (!__atomic_compare_exchange_n(
		&by_user, &before, before ? 0 : BY_SIGNAL, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	process_is_paused();
}

/* The calling thread's time until now belongs to the state of now. */
static void cut(const void *frame_address)
{
	if (!guard_enter())
		return;
	kinds_thread_cut(current_thread, frame_address);
	guard_leave();
}

void recording_pause(const void *frame_address)
{
	unsigned none = 0;
	if (recording_paused_by_user())
		return;
	cut(frame_address);
	__atomic_store_n(&always, false, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&by_user, &none, BY_PROGRAM, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	process_is_paused();
}

void recording_resume(const void *frame_address)
{
	if (!recording_paused_by_user())
		return;
	cut(frame_address);
	__atomic_store_n(&by_user, 0, __ATOMIC_RELAXED);
	process_is_paused();
}

void recording_pause_thread(int id, bool pause, const void *frame_address)
{
	struct thread *thread = id ? thread_find(id) : current_thread;
	if (!thread || __atomic_load_n(&thread->paused, __ATOMIC_RELAXED) == pause)
		return;
	if (thread == current_thread)
		cut(frame_address);
	if (__atomic_exchange_n(&thread->paused, pause, __ATOMIC_RELAXED) == pause)
		return;
	struct log_line *line = event_log_begin(pause ? "thread_pause" : "thread_resume");
	if (!line)
		return;
	log_number_attribute(line, "thread", thread->number);
	log_number_attribute(line, "tid", (uint64_t)thread->tid);
	event_log_end(line, 0);
}
