/* SPDX-License-Identifier: Apache-2.0 */
/* The work around the exec or spawn of another image: see departure.h. */
#include "departure.h"
#include "collector.h"
#include "confinement.h"
#include "cpu_time.h"
#include "environment_block.h"
#include "event_log.h"
#include "follow.h"
#include "lifetime.h"
#include "lineage.h"
#include "our_signal.h"
#include "pages.h"
#include "reach.h"
#include "recording.h"
#include "sample.h"
#include "system_calls.h"
#include "thread.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LINEAGE_SIZE         sizeof(collector.lineage)
#define NOT_FOLLOWED_BY_WISH "not followed, as -F off asks"

/* The child of a vfork shares this variable with its parent's thread, which sleeps meanwhile. */
static __thread struct {
	int process;
	uint64_t fork, execs;
} vforked __attribute__((tls_model("initial-exec")));

static int process_id(void)
{
	return (int)system_call(SYS_getpid);
}

/* The child of a vfork shares its parent's memory, execs away and can give nothing back: what it uses stays with the thread
   and is used again. */
static void *take_memory(struct departure *departure, size_t size)
{
	int self = process_id();
	struct kept_memory *kept = current_thread ? &current_thread->kept : 0;
	size = (size + PAGE_UNIT - 1) / PAGE_UNIT * PAGE_UNIT;
	departure->size = size;
	if (!kept || kept->user == self)
		return pages_map(size);
	if (kept->size < size) {
		pages_unmap(kept->memory, kept->size);
		kept->memory = pages_map(size);
		kept->size = kept->memory ? size : 0;
	}
	kept->user = kept->memory ? self : 0;
	return kept->memory;
}

static void give_memory(struct departure *departure)
{
	struct kept_memory *kept = current_thread ? &current_thread->kept : 0;
	if (kept && departure->memory && departure->memory == kept->memory)
		kept->user = 0;
	else
		pages_unmap(departure->memory, departure->size);
	departure->memory = 0;
}

/* The child of a vfork is the parent's next fork, and counts its own tries to exec. */
static void append_vforked(struct text *lineage, uint64_t *number)
{
	int self = process_id();
	if (vforked.process != self) {
		vforked.process = self;
		vforked.fork = lineage_next_fork();
		vforked.execs = 0;
	}
	lineage_append(lineage, 'f', vforked.fork);
	*number = ++vforked.execs;
}

/* Names the image. False: the name would be too long for a file. */
static bool name_image(struct departure *departure, bool own, char lineage[LINEAGE_SIZE])
{
	struct text text = {.bytes = lineage, .capacity = LINEAGE_SIZE - sizeof ".er"};
	text_string(&text, collector.lineage);
	if (own)
		departure->number = lineage_next_exec();
	else
		append_vforked(&text, &departure->number);
	lineage_append(&text, 'x', departure->number);
	lineage[text.size] = 0;
	return !text.cut;
}

/* `pid`: of the process that becomes the image, if it is not this one, and known; else 0. */
static void note(const char *kind, const char *how, const char *lineage, const char *path, pid_t pid, const char *text)
{
	if (collector.carried && text)
		collector_tell_founder(kind, path, text, 0);
	struct log_line *line = event_log_begin(kind);
	if (!line)
		return;
	log_text_attribute(line, "how", how);
	if (lineage)
		log_text_attribute(line, "lineage", lineage);
	log_text_attribute(line, "name", path);
	if (pid > 0)
		log_number_attribute(line, "pid", (uint64_t)pid);
	event_log_end(line, text);
}

/* The time that the calling thread has recorded until now; its clock is stopped. */
static struct recorded_time recorded_time(void)
{
	struct thread *thread = current_thread;
	if (collector.carried) { /* what is not recorded now must not be later */
		struct cpu_time now = cpu_time_clock();
		cpu_time_account(&now);
		uint64_t user = now.user < now.cpu ? now.user : now.cpu;
		return (struct recorded_time){user, now.cpu - user};
	}
	if (!thread)
		return (struct recorded_time){0, 0};
	return (struct recorded_time){thread->clock.last_user, thread->clock.last_system};
}

/* The environment for an image that is followed; else the target's as it is. */
static void compose(struct departure *departure, const char *lineage, char *const *environment, bool same_process)
{
	struct composition ours = {.founder = collector.settings.founder,
		.lineage = lineage,
		.library = collector.settings.library,
		.paused = recording_paused_by_user(),
		.recorded = same_process ? recorded_time() : (struct recorded_time){0, 0}};
	departure->memory = take_memory(departure, environment_compose_size(environment, &ours));
	if (departure->memory)
		departure->environment = environment_compose(environment, &ours, departure->memory);
}

/* Whether this process's images belong to an experiment: it is recorded, or has a copy of the memory of one that is, which
   libc does not know of. */
static bool has_experiment(bool own)
{
	return collector_recording() || collector.carried || (collector.opened && !own);
}

static const char *reason_not_followed(enum image image)
{
	if (!collector.settings.follow)
		return NOT_FOLLOWED_BY_WISH;
	if (image == IMAGE_DYNAMIC && !experiment_is_reachable())
		return "not followed: with its privileges and root directory it could not reach the collector or the "
		       "experiment";
	if (image == IMAGE_DYNAMIC && confinement_kills_images())
		return "not followed: the process has confined itself by a seccomp filter that would end a program "
		       "with our "
		       "library";
	return image_reason(image);
}

static bool is_followed(enum image image)
{
	return image == IMAGE_DYNAMIC && !reason_not_followed(image);
}

/* The kind that an image is when it gets that environment. */
static enum image image_in(enum image image, char *const *environment)
{
	return image == IMAGE_SANITIZED && environment_permits_preload(environment) ? IMAGE_DYNAMIC : image;
}

void departure_exec(struct departure *departure, enum image image, const char *path, char *const *environment)
{
	char lineage[LINEAGE_SIZE];
	image = image_in(image, environment);
	*departure = (struct departure){.environment = environment};
	if (image == IMAGE_MISSING)
		return;
	bool own = collector_is_recorded_process(), recording = has_experiment(own);
	const char *reason = recording ? reason_not_followed(image) : 0;
	bool named = recording && is_followed(image) && name_image(departure, own, lineage);
	if (recording && own && !collector.carried) {
		departure->replaces = true;
		note("exec_start", "exec", named ? lineage : 0, path, 0, reason);
		collector_suspend("exec");
	} else if (reason) {
		note("cwarn", "exec", 0, path, process_id(), reason);
	} else if (own && collector.unfollowed) {
		collector_tell_founder("cwarn", path, NOT_FOLLOWED_BY_WISH, 0);
	}
	if (named)
		compose(departure, lineage, environment, own);
	departure->masked = true;
	our_signal_mask_for_exec();
}

int departure_failed(struct departure *departure, const char *path)
{
	int code = errno;
	if (departure->masked)
		our_signal_mask_after_exec();
	give_memory(departure);
	if (departure->replaces) {
		lineage_exec_failed(departure->number);
		collector_continue();
	} else if (collector.carried && departure->number && collector_is_recorded_process()) {
		lineage_exec_failed(departure->number);
	}
	/* A shell that vforks tries every folder of PATH: that is no news. */
	if (collector_recording() && (departure->masked || collector_is_recorded_process())) {
		struct log_line *line = event_log_begin("exec_error");
		if (line) {
			log_text_attribute(line, "name", path);
			log_number_attribute(line, "errno", (uint64_t)code);
			event_log_end(line, 0);
		}
	}
	errno = code;
	return -1;
}

static void sample_of_spawn(const char *label)
{
	if (collector_recording())
		sample_take(label);
}

void departure_spawn(struct departure *departure, enum image image, char *const *environment)
{
	char lineage[LINEAGE_SIZE];
	image = image_in(image, environment);
	*departure = (struct departure){.environment = environment};
	bool own = collector_is_recorded_process();
	if (own)
		sample_of_spawn("before spawn");
	if (has_experiment(own)) {
		departure->reason = reason_not_followed(image);
		if (is_followed(image) && name_image(departure, own, lineage))
			compose(departure, lineage, environment, false);
	}
	departure->masked = true;
	our_signal_mask_for_exec();
}

void departure_spawned(struct departure *departure, const char *how, const char *path, int error, pid_t pid)
{
	if (departure->masked)
		our_signal_mask_after_exec();
	bool followed = departure->memory;
	give_memory(departure);
	if (error && departure->number)
		lineage_exec_failed(departure->number);
	if (collector_is_recorded_process())
		sample_of_spawn("after spawn");
	if (departure->reason && !error)
		note("cwarn", "spawn", 0, path, pid, departure->reason);
	if (!followed || error || !collector_recording())
		return;
	char lineage[LINEAGE_SIZE];
	struct text text = {.bytes = lineage, .capacity = sizeof lineage - 1};
	text_string(&text, collector.lineage);
	lineage_append(&text, 'x', departure->number);
	lineage[text.size] = 0;
	note("desc_start", how, lineage, path, pid, 0);
}
