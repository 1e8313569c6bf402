/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's life in one process: from the experiment's files to the exit event. */
#include "lifetime.h"
#include "capture.h"
#include "collector.h"
#include "control_signal.h"
#include "cpu_time.h"
#include "event_log.h"
#include "follow.h"
#include "kind.h"
#include "libunwind.h"
#include "load_objects.h"
#include "pages.h"
#include "recording.h"
#include "sample.h"
#include "system_calls.h"
#include "text.h"
#include "thread.h"
#include "threads.h"
#include "wait.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int closing; /* atomic: someone has begun to close */

static void log_run(void)
{
	struct log_line *line = event_log_begin("run");
	if (!line)
		return;
	log_triple_attributes(line, &collector.start);
	log_text_attribute(line, "lineage", collector.lineage);
	event_log_end(line, 0);
	sample_take("start");
}

/* Says how much CPU time the kernel charged to this process, so that the profile's total can be checked. */
static void log_exit(const char *reason)
{
	struct rusage used = {0};
	struct time_triple now;
	recording_paused(); /* nothing may have happened since that changed */
	sample_take("end");
	struct log_line *line = event_log_begin("exit");
	if (!line)
		return;
	system_call(SYS_getrusage, RUSAGE_SELF, &used);
	time_now(&now);
	log_triple_attributes(line, &now);
	log_text_attribute(line, "reason", reason);
	log_number_attribute(
		line, "user", (uint64_t)used.ru_utime.tv_sec * 1000000000u + (uint64_t)used.ru_utime.tv_usec * 1000u);
	log_number_attribute(
		line, "system", (uint64_t)used.ru_stime.tv_sec * 1000000000u + (uint64_t)used.ru_stime.tv_usec * 1000u);
	log_number_attribute(line, "children", wait_children_time());
	event_log_end(line, 0);
}

static char description[2 * PAGE_UNIT]; /* static: stacks of targets may be small */

/* The file of stacks is the claim on an experiment: only one process can create it. 0 or errno. */
static int claim(void)
{
	int code = 0;
	size_t size = stacks_describe(description, sizeof description);
	event_file_create(
		&collector.stacks, &collector.directory, STACKS_FILE, description, (uint32_t)size, time_now, &code);
	return code;
}

/* Host, settings, kinds and tallies are in the founder's log. A rank of MPI may run on another host than its founder, and so may
   what it starts. */
static bool has_founders_head(void)
{
	return collector.lineage[0] && collector.lineage[0] != 'M';
}

/* 0 or errno. */
static int create_file(enum kind kind)
{
	int code = 0;
	char name[64];
	struct text text = {.bytes = name, .capacity = sizeof name};
	struct event_file *file = &collector.files[kind];
	text_string(&text, kind_row(kind)->name);
	text_append(&text, EVENT_FILE_SUFFIX, sizeof EVENT_FILE_SUFFIX);
	size_t size = kind_describe(kind, description, sizeof description);
	if (!event_file_create(file, &collector.directory, name, description, (uint32_t)size, time_now, &code))
		return code;
	file->space_used = recording_space();
	file->tallies = collector.tallies;
	return 0;
}

bool collector_create_file(enum kind kind)
{
	int code = create_file(kind);
	return code ? collector_refuse("one kind of data is not recorded: its events file cannot be created", code)
		    : true;
}

/* One events file per kind that the settings ask for, and the tallies. */
static bool create_files(void)
{
	int code = 0;
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_has_file_at_start(kind) && (code = create_file(kind)))
			return collector_refuse("not recorded: an events file cannot be created", code);
	collector.stacks.space_used = recording_space();
	collector.tallies = tallies_create(&collector.directory, !has_founders_head(), &code);
	if (!collector.tallies)
		return collector_refuse("not recorded: the file \"counters\" cannot be created", code);
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		if (kind_has_file_at_start(kind)) /* the others' memory is not touched */
			collector.files[kind].tallies = collector.tallies;
	collector.stacks.tallies = collector.tallies;
	return true;
}

/* The founder's beginning is written by `collect`. */
static void write_head(void)
{
	if (!collector.lineage[0])
		return;
	log_write_root(&collector.directory, LOG_FILE, has_founders_head());
	if (has_founders_head())
		log_write_start(&collector.directory, &collector.start);
	else
		log_write_system(&collector.directory, &collector.settings, &collector.start);
}

static int creation_flags(void)
{
	return collector.lineage[0] ? O_CREAT | O_EXCL : 0;
}

static bool describe(void)
{
	log_gather(&collector.directory, LOG_FILE, creation_flags());
	write_head();
	log_write_process(&collector.directory);
	log_run();
	int code = log_write_gathered();
	return code ? collector_refuse("not recorded: log.xml cannot be written", code) : true;
}

static bool list_objects(void)
{
	log_gather(&collector.directory, MAP_XML_FILE, creation_flags());
	if (collector.lineage[0])
		log_write_root(&collector.directory, MAP_XML_FILE, false);
	load_objects_start();
	int code = log_write_gathered();
	return code ? collector_refuse("not recorded: map.xml cannot be written", code) : true;
}

bool collector_find_founder(void)
{
	int code;
	if (!experiment_directory_open(&collector.founder, collector.settings.founder, &code))
		return false;
	log_hold(&collector.founder);
	return true;
}

static int open_directory(const char *lineage)
{
	char name[sizeof collector.lineage];
	struct text text = {.bytes = name, .capacity = sizeof name - 1};
	int code = 0;
	if (!lineage[0]) {
		experiment_directory_open(&collector.directory, collector.settings.founder, &code);
		return code;
	}
	text_string(&text, lineage);
	text_append(&text, ".er", 3);
	name[text.size] = 0;
	if (text.cut)
		return ENAMETOOLONG;
	experiment_directory_open_inside(&collector.directory, &collector.founder, name, true, &code);
	return code;
}

int collector_claim(const char *lineage)
{
	closing = 0;
	collector.process = (int)system_call(SYS_getpid);
	time_now(&collector.start);
	strncpy(collector.lineage, lineage, sizeof collector.lineage - 1);
	int code = open_directory(lineage);
	if (code)
		return code;
	code = claim();
	if (code)
		experiment_directory_close(&collector.directory);
	return code;
}

/* Once for all: a fork child finds the page there. */
static bool map_recording(void)
{
	if (!collector.recording) {
		collector.recording = pages_map(PAGE_UNIT);
		system_call(SYS_madvise, collector.recording, PAGE_UNIT, MADV_WIPEONFORK);
	}
	return collector.recording;
}

/* A tracer is told of each signal before the target is, and a debugger then stops: its user would see the target behave as
   it does not without us. The founder has a debugger only if its user attached it, as -x offers. */
static void spare_debugger(void)
{
	collector.traced = collector.lineage[0] && sample_saw_tracer();
	if (collector.traced && (collector.settings.clock_interval || collector.settings.counters[0]))
		collector_log("cwarn",
			"not clocked: a debugger traces it, which the signals of clock and counters would stop");
}

bool collector_start(void)
{
	if (!map_recording())
		return collector_refuse("not recorded: no memory", ENOMEM);
	recording_start();
	if (!describe())
		return false;
	spare_debugger();
	if (!create_files())
		return false;
	if (collector.settings.unwinder != UNWINDER_OWN && !libunwind_is_loaded())
		collector_log(
			"cwarn", "libunwind.so.8 cannot be loaded: stacks are taken by the collector's own unwinder");
	if (!list_objects())
		return false;
	if (!capture_start(&collector.stacks, (uint32_t)collector.settings.stack_limit))
		return collector_refuse("not recorded: no memory for stacks", ENOMEM);
	recording_paused(); /* it may begin paused */
	wait_start();
	kinds_start();
	control_signals_start();
	collector.opened = true;
	__atomic_store_n(collector.recording, 1, __ATOMIC_RELEASE);
	thread_begin();
	own_use_end(&collector.own_start, collector.tallies);
	collector.starting = false;
	return true;
}

static unsigned abandoned; /* other threads that were alive when recording stopped */

static void abandon(struct thread *thread)
{
	abandoned++;
	kinds_thread_abandon(thread);
}

static void stop_threads(void)
{
	abandoned = 0;
	if (current_thread)
		kinds_thread_stop(current_thread);
	threads_visit_others(abandon);
}

void collector_begin_own_start(void)
{
	collector.own_since = cpu_time_clock().cpu;
	collector.own_start = own_use_begin(0);
	collector.starting = true;
}

/* The work of the calling thread from here on is not the target's. */
static struct own_use_span begin_own_work(void)
{
	if (current_thread)
		current_thread->own_since = cpu_time_clock().cpu;
	return own_use_begin(collector.tallies);
}

void collector_suspend(const char *reason)
{
	struct own_use_span use = begin_own_work();
	stop_threads(); /* at once: until then the time is the threads' */
	load_objects_close();
	own_use_end(&use, collector.tallies);
	log_exit(reason);
}

void collector_continue(void)
{
	struct thread *thread = current_thread;
	if (abandoned)
		collector_log(
			"cwarn", "an exec failed at the last moment: the other threads are not recorded any more");
	if (!thread)
		return;
	thread->recorded = (struct recorded_time){thread->clock.last_user, thread->clock.last_system};
	int inside = thread->inside;
	thread->inside = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	kinds_thread_start(thread);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->inside = inside;
}

static void close_recording(const char *reason, bool ends)
{
	/* The child of a vfork shares this memory, and the child of a bare fork system call has a copy. */
	if (!collector_recording() || !collector_is_recorded_process())
		return;
	/* exit(), a fatal signal's handler and the API may all come here, from several threads at once. */
	if (__atomic_exchange_n(&closing, 1, __ATOMIC_ACQ_REL))
		return;
	struct own_use_span use = begin_own_work();
	collector.ending = ends;
	stop_threads();
	load_objects_close();
	if (current_thread) /* it may live on, and has nothing more to record */
		__atomic_store_n(&current_thread->ending, true, __ATOMIC_RELEASE);
	kinds_stop();
	__atomic_store_n(collector.recording, 0, __ATOMIC_RELEASE);
	own_use_end(&use, collector.tallies);
	log_exit(reason);
}

void collector_close(const char *reason)
{
	close_recording(reason, false);
}

void collector_end(const char *reason)
{
	close_recording(reason, true);
}
