/* SPDX-License-Identifier: Apache-2.0 */
/* The end of an experiment: see finish.h. */
#include "finish.h"
#include "archive.h"
#include "archive_sources.h"
#include "cut_line.h"
#include "experiment.h"
#include "interrupt.h"
#include "kernel_names.h"
#include "log.h"
#include "raw_time.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t nanoseconds_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static void write_close_event(struct created *created, const struct outcome *outcome)
{
	struct time_triple now;
	struct log_line line;
	raw_time_triple((enum time_source)created->settings.time_source, &now);
	log_begin(&line, "event");
	log_text_attribute(&line, "kind", "close");
	log_time_attribute(&line, "tstamp", now.monotonic - created->start.monotonic);
	log_triple_attributes(&line, &now);
	log_number_attribute(&line, "pid", (uint64_t)outcome->pid);
	if (WIFSIGNALED(outcome->status)) {
		log_number_attribute(&line, "signal", (uint64_t)WTERMSIG(outcome->status));
		log_number_attribute(&line, "core", WCOREDUMP(outcome->status) != 0);
	} else {
		log_number_attribute(&line, "status", (uint64_t)WEXITSTATUS(outcome->status));
	}
	log_number_attribute(&line, "user", nanoseconds_of(&outcome->usage.ru_utime));
	log_number_attribute(&line, "system", nanoseconds_of(&outcome->usage.ru_stime));
	log_number_attribute(&line, "maxrss", (uint64_t)outcome->usage.ru_maxrss * 1024);
	log_end(&line, 0, &created->directory, LOG_FILE);
}

/* A process that ended by its own way or exec'd another image has saved its map itself; but an exec may have failed, and
   recording gone on. */
static bool ended_by_itself(const struct experiment *experiment)
{
	bool ended = false;
	for (size_t i = 0; i < experiment->event_count; i++) {
		const char *kind = experiment->events[i].kind;
		if (strcmp(kind, "exit") == 0)
			ended = true;
		else if (strcmp(kind, "run") == 0 || strcmp(kind, "exec_error") == 0)
			ended = false;
	}
	return ended;
}

/* The map of a process that is gone. Older than the process, a link or another user's, it is not its map. */
static bool is_map_of(const struct experiment *experiment, const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       (uint64_t)status.st_mtim.tv_sec >= experiment->start.realtime / 1000000000u;
}

/* Keeps the list that a killed run-time wrote of its generated code. */
static void save_perf_map(struct archive *archive, const struct experiment *experiment)
{
	char path[64];
	pid_t pid = (pid_t)experiment->process.pid;
	snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)pid);
	if (pid <= 0 || ended_by_itself(experiment) || kill(pid, 0) == 0 || !is_map_of(experiment, path))
		return;
	int directory = open(experiment->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return;
	int code = faccessat(directory, PERF_MAP_FILE, F_OK, 0) == 0 ? 0 : copy_file(path, directory, PERF_MAP_FILE);
	if (code != 0)
		archive_warn(archive, "%s was not saved: %s", path, strerror(code));
	close(directory);
}

/* A process that outlives us goes on to record. */
static bool goes_on(const struct experiment *experiment)
{
	pid_t pid = (pid_t)experiment->process.pid;
	return pid > 0 && !ended_by_itself(experiment) && kill(pid, 0) == 0;
}

/* experiment 0: it could not be opened. */
static void finish_one(struct archive *archive, const struct experiment *experiment, enum archive_mode mode,
	struct kernel_addresses *kernel, bool *all_ended)
{
	*all_ended &= experiment && !goes_on(experiment);
	if (!experiment)
		return;
	kernel_addresses_add(kernel, experiment);
	save_perf_map(archive, experiment);
	if (mode != ARCHIVE_OFF)
		archive_objects(archive, experiment);
	if (mode == ARCHIVE_SOURCES || mode == ARCHIVE_USED_SOURCES)
		archive_sources(archive, experiment, mode == ARCHIVE_USED_SOURCES);
}

static void drop_cut_lines(const char *founder, char **descendants, size_t count)
{
	char path[PATH_MAX + NAME_MAX];
	cut_line_drop(founder);
	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", founder, descendants[i]);
		cut_line_drop(path);
	}
}

void finish_experiment(struct created *created, const struct outcome *outcome)
{
	struct archive archive;
	const char *founder = created->settings.founder;
	enum archive_mode mode = (enum archive_mode)created->settings.archive;
	write_close_event(created, outcome);
	interrupt_forget();
	if (!archive_open(&archive, &created->directory, created->settings.library, &created->start))
		return;
	struct kernel_addresses kernel = {0};
	bool all_ended = true;
	struct error error;
	struct experiment *own = experiment_open(founder, &error);
	finish_one(&archive, own, mode, &kernel, &all_ended);
	size_t count;
	char **descendants = experiment_descendants(founder, &count);
	for (size_t i = 0; i < count; i++) {
		char path[PATH_MAX + NAME_MAX];
		snprintf(path, sizeof path, "%s/%s", founder, descendants[i]);
		if (interrupt_pending())
			break;
		struct experiment *descendant = experiment_open_descendant(path, own, &error);
		finish_one(&archive, descendant, mode, &kernel, &all_ended);
		if (descendant)
			experiment_close(descendant);
	}
	if (own)
		experiment_close(own);
	if (all_ended && !interrupt_pending())
		kernel_names_keep(founder, &kernel);
	kernel_addresses_free(&kernel);
	if (interrupt_pending())
		archive_warn(&archive, "not everything was archived: interrupted");
	archive_close(&archive);
	if (all_ended)
		drop_cut_lines(founder, descendants, count);
	for (size_t i = 0; i < count; i++)
		free(descendants[i]);
	free(descendants);
}
