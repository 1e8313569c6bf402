/* SPDX-License-Identifier: Apache-2.0 */
/* Creating and removing an experiment directory: see create.h. */
#include "create.h"
#include "kernel_names.h"
#include "log.h"
#include "message.h"
#include "overflow_counter.h"
#include "overwrite.h"
#include "raw_time.h"
#include "remove_tree.h"
#include "size_control.h"
#include "waking_event.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void create_settings(const struct options *options, const char *library, struct settings *settings)
{
	*settings = options->settings;
	settings->time_source = time_source_choose();
	settings->time_between = time_counter_between();
	snprintf(settings->library, sizeof settings->library, "%s", library);
}

/* Takes exactly that name. */
static bool make_named(const struct experiment_name *name, char path[PATH_MAX], bool *there, struct error *error)
{
	experiment_name_path(name, path, PATH_MAX);
	if (!path[0])
		return error_set(error, "The path of the experiment is too long");
	*there = mkdir(path, 0755) != 0 && errno == EEXIST;
	return *there || access(path, F_OK) == 0 ||
	       error_set(error, "Cannot create experiment directory %s: %s", path, strerror(errno));
}

/* Takes the name by mkdir. Another collect may have taken the number since it was chosen. */
static bool make_directory(struct experiment_name *name, char path[PATH_MAX], struct error *error)
{
	char base[NAME_MAX + 1], given[NAME_MAX + 1];
	bool moved = false;
	experiment_name_base(name, given, sizeof given);
	for (;;) {
		bool changed;
		if (!experiment_name_next_free(name, &changed, error))
			return false;
		moved |= changed;
		experiment_name_path(name, path, PATH_MAX);
		if (!path[0])
			return error_set(error, "The path of the experiment is too long");
		if (mkdir(path, 0755) == 0)
			break;
		if (errno != EEXIST)
			return error_set(error, "Cannot create experiment directory %s: %s", path, strerror(errno));
	}
	if (moved) {
		experiment_name_base(name, base, sizeof base);
		message_warning("name %s is in use; changed to %s", given, base);
	}
	return true;
}

/* The absolute path, as the collector in the target needs it. */
static bool absolute(const char *path, char *result, size_t size, struct error *error)
{
	char cwd[PATH_MAX];
	if (path[0] == '/')
		cwd[0] = '\0';
	else if (!getcwd(cwd, sizeof cwd))
		return error_set(error, "Cannot find the current directory: %s", strerror(errno));
	int n = snprintf(result, size, "%s%s%s", cwd, cwd[0] ? "/" : "", path);
	if (n < 0 || (size_t)n >= size)
		return error_set(error, "The path of the experiment is too long: %s/%s", cwd, path);
	if (strchr(result, '\n'))
		return error_set(error, "The path of the experiment has a newline in it: choose another by -o or -d");
	return true;
}

static bool write_file(struct created *created, const char *name, const char *text, size_t size, struct error *error)
{
	int fd = experiment_directory_open_file(&created->directory, name, O_WRONLY | O_CREAT | O_TRUNC);
	ssize_t written = fd < 0 ? -1 : write(fd, text, size);
	int code = fd < 0 ? -fd : errno;
	if (fd >= 0)
		close(fd);
	if (written == (ssize_t)size)
		return true;
	return error_set(error, "Cannot write %s/%s: %s", created->path, name, strerror(written < 0 ? code : ENOSPC));
}

/* The log's last lines, which say how the run ended, have room when the disk is full by then. A file system that cannot keep
   some is no error. */
static void keep_room_for_log(struct created *created)
{
	enum { ROOM = 12 << 10 };
	struct stat status;
	int fd = experiment_directory_open_file(&created->directory, LOG_FILE, O_WRONLY);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0)
		fallocate(fd, FALLOC_FL_KEEP_SIZE, status.st_size, ROOM);
	close(fd);
}

static bool write_notes(struct created *created, const struct options *options, struct error *error)
{
	if (options->comment_count == 0)
		return true;
	size_t size = 0;
	for (unsigned i = 0; i < options->comment_count; i++)
		size += strlen(options->comments[i]) + 1;
	char *text = malloc(size), *next = text;
	if (!text)
		return error_set(error, "Out of memory");
	for (unsigned i = 0; i < options->comment_count; i++) {
		/* One line each. */
		for (const char *byte = options->comments[i]; *byte; byte++)
			*next++ = *byte == '\n' || *byte == '\r' ? ' ' : *byte;
		*next++ = '\n';
	}
	bool ok = write_file(created, "notes", text, size, error);
	free(text);
	return ok;
}

static bool has_kernel_stacks(const struct settings *settings)
{
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned count = overflow_counters_decode(settings->counters, counters);
	for (unsigned i = 0; i < count; i++)
		if (counters[i].kernel_stack)
			return true;
	return false;
}

static bool write_files(struct created *created, const struct options *options, struct error *error)
{
	char text[SETTINGS_TEXT_MAX];
	struct settings *settings = &created->settings;
	raw_time_triple((enum time_source)settings->time_source, &created->start);
	settings->start = created->start.monotonic;
	size_t size = settings_encode(settings, text, sizeof text);
	if (size == 0)
		return error_set(error, "The settings of %s do not fit", created->path);
	const struct size_control none_yet = {0};
	if (settings->size_limit && !write_file(created, SIZE_FILE, (const char *)&none_yet, sizeof none_yet, error))
		return false;
	struct shared_waits waits = {0};
	if (settings->states)
		waking_event_find(&waits);
	created->waking_event = waits.waking_event;
	if (settings->states && !write_file(created, WAITS_FILE, (const char *)&waits, sizeof waits, error))
		return false;
	if (!write_file(created, SETTINGS_FILE, text, size, error) || !write_notes(created, options, error))
		return false;
	int code = log_create(&created->directory);
	if (code == 0)
		code = log_write_system(&created->directory, settings, &created->start);
	if (code != 0)
		return error_set(error, "Cannot write the log of %s: %s", created->path, strerror(code));
	keep_room_for_log(created);
	if (has_kernel_stacks(settings) && !kernel_names_write(&created->directory, error))
		return false;
	char archives[PATH_MAX + 16];
	snprintf(archives, sizeof archives, "%s/archives", created->path);
	if (mkdir(archives, 0755) != 0)
		return error_set(error, "Cannot create %s: %s", archives, strerror(errno));
	return true;
}

/* Takes exactly that name, whatever experiment had it. */
static bool make_overwriting(const struct experiment_name *name, char path[PATH_MAX], struct error *error)
{
	bool there;
	experiment_name_path(name, path, PATH_MAX);
	return overwrite_remove(path, error) && make_named(name, path, &there, error) &&
	       (!there || error_set(error, "Cannot create experiment directory %s: %s", path, strerror(EEXIST)));
}

/* Fills the directory that was just made. */
static bool fill(
	const struct options *options, const struct experiment_name *name, struct created *created, struct error *error)
{
	struct stat status;
	int code;
	experiment_name_base(name, created->base, sizeof created->base);
	if (stat(created->path, &status) == 0) {
		created->device = status.st_dev;
		created->inode = status.st_ino;
	}
	bool ok = absolute(created->path, created->settings.founder, sizeof created->settings.founder, error);
	if (ok && !experiment_directory_open(&created->directory, created->settings.founder, &code))
		ok = error_set(error, "Cannot open experiment directory %s: %s", created->path, strerror(code));
	if (ok && write_files(created, options, error))
		return true;
	create_undo(created);
	return false;
}

bool create_experiment(const struct options *options, struct experiment_name *name, const struct settings *settings,
	struct created *created, struct error *error)
{
	*created = (struct created){.settings = *settings};
	created->directory.self.fd = -1;
	bool made = options->overwritten ? make_overwriting(name, created->path, error)
					 : make_directory(name, created->path, error);
	return made && fill(options, name, created, error);
}

bool create_experiment_named(const struct options *options, struct experiment_name *name,
	const struct settings *settings, struct created *created, bool *there, struct error *error)
{
	*created = (struct created){.settings = *settings};
	created->directory.self.fd = -1;
	if (!make_named(name, created->path, there, error))
		return false;
	return *there || fill(options, name, created, error);
}

void create_undo(const struct created *created)
{
	struct stat status;
	if (lstat(created->path, &status) == 0 && status.st_dev == created->device && status.st_ino == created->inode)
		remove_tree(AT_FDCWD, created->path);
}
