/* SPDX-License-Identifier: Apache-2.0 */
/* fork, daemon, forkpty: the child of a fork records into an experiment of its own. libc runs our handlers around every
   fork of its own but _Fork; because ours were registered first, they are the last before the fork and the first in the
   child. */
#include "fork.h"
#include "collector.h"
#include "cpu_time.h"
#include "event_log.h"
#include "follow.h"
#include "interpose.h"
#include "lifetime.h"
#include "lineage.h"
#include "load_objects.h"
#include "our_signal.h"
#include "sample.h"
#include "system_calls.h"
#include "thread.h"
#include "threads.h"
#include "weak_libc.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The forking thread keeps this between our two handlers. */
static __thread struct {
	bool recorded, held, objects_held;
	char lineage[sizeof collector.lineage]; /* of the child */
} forking __attribute__((tls_model("initial-exec")));

/* "_f3" under our own, or "" if that is too long to be a file name. */
static void name_child(void)
{
	struct text text = {.bytes = forking.lineage, .capacity = sizeof forking.lineage - 1};
	text_string(&text, collector.lineage);
	lineage_append(&text, 'f', lineage_next_fork());
	forking.lineage[text.cut ? 0 : text.size] = 0;
}

void fork_before(void)
{
	forking.recorded = (collector_recording() || collector.carried) && collector_is_recorded_process();
	if (!forking.recorded)
		return;
	name_child();
	/* Found here once, it need not be looked for in each child, in memory that is not mapped there yet. */
	(void)REAL(_exit);
	sample_take("before fork");
	load_objects_update();
	/* The kernel begins a fork again when a signal arrives: ours must not delay that of a large process. */
	forking.held = our_signal_hold();
	forking.objects_held = load_objects_hold();
}

void fork_after_in_parent(void)
{
	if (!forking.recorded)
		return;
	if (forking.objects_held)
		load_objects_release();
	our_signal_release(forking.held);
	sample_take("after fork");
	if (!collector.settings.follow)
		return;
	struct log_line *line = event_log_begin("desc_start");
	if (!line)
		return;
	log_text_attribute(line, "how", "fork");
	log_text_attribute(line, "lineage", forking.lineage);
	event_log_end(line, 0);
}

/* The child gives up its copies of its parent's recording unused. */
static void forget_parent(void)
{
	uint64_t *tallies = collector.tallies;
	collector.opened = false;
	if (collector.recording)
		__atomic_store_n(collector.recording, 0, __ATOMIC_RELEASE); /* kernels before 4.14 clear nothing */
	collector.tallies = 0;
	collector.recorded = (struct recorded_time){0, 0};
	if (tallies)
		tallies_unmap(tallies);
	experiment_directory_close(&collector.directory);
	event_log_after_fork();
	load_objects_in_child();
	threads_after_fork();
}

void fork_after_in_child(void)
{
	if (!forking.recorded)
		return;
	collector_begin_own_start();
	our_signal_release(forking.held);
	forget_parent();
	collector.unfollowed = !collector.settings.follow;
	if (collector.unfollowed)
		collector.process = (int)system_call(SYS_getpid);
	if (!collector.settings.follow || !forking.lineage[0] || !lineage_start(forking.lineage))
		our_signal_give_back();
}

void follow_start(void)
{
	/* Not pthread_atfork(), which would bind them to the end of this library. */
	__register_atfork(fork_before, fork_after_in_parent, fork_after_in_child, 0);
}

#if __GLIBC_PREREQ(2, 34)
INTERPOSE pid_t _Fork(void)
{
	fork_before();
	pid_t child = REAL(_Fork)();
	if (child)
		fork_after_in_parent();
	else
		fork_after_in_child();
	return child;
}
#endif
