/* SPDX-License-Identifier: Apache-2.0 */
/* Copying load objects: see archive.h. */
#include "archive.h"
#include "archive_name.h"
#include "interrupt.h"
#include "log.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool archive_open(struct archive *archive, struct experiment_directory *founder, const char *collector,
	const struct time_triple *start)
{
	*archive = (struct archive){.founder = founder, .collector = collector, .start = *start};
	archive->directory = experiment_directory_open_file(founder, ARCHIVES_FOLDER, O_RDONLY | O_DIRECTORY);
	if (archive->directory < 0)
		archive_warn(archive, "nothing archived: %s: %s", ARCHIVES_FOLDER, strerror(-archive->directory));
	else
		copy_cache_open(&archive->cache);
	return archive->directory >= 0;
}

void archive_close(struct archive *archive)
{
	copy_cache_close(&archive->cache);
	close(archive->directory);
}

void archive_warn(struct archive *archive, const char *format, ...)
{
	char text[2 * PATH_MAX];
	struct log_line line;
	struct timespec now;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	clock_gettime(CLOCK_MONOTONIC, &now);
	uint64_t monotonic = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	log_begin(&line, "event");
	log_text_attribute(&line, "kind", "cwarn");
	log_time_attribute(&line, "tstamp", monotonic - archive->start.monotonic);
	log_end(&line, text, archive->founder, LOG_FILE);
}

static int copy_bytes(int from, int to)
{
	for (;;) {
		ssize_t n = copy_file_range(from, 0, to, 0, 1 << 30, 0);
		if (n == 0)
			return 0;
		if (n < 0)
			break;
	}
	/* File systems that cannot do it among themselves. */
	if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
		return errno;
	char buffer[16384];
	for (;;) {
		ssize_t n = read(from, buffer, sizeof buffer);
		if (n <= 0)
			return n ? errno : 0;
		for (ssize_t done = 0; done < n;) {
			ssize_t written = write(to, buffer + done, (size_t)(n - done));
			if (written <= 0)
				return written ? errno : ENOSPC;
			done += written;
		}
	}
}

/* The copy can be read by nobody who cannot read the original: in a folder of another user's the names may be forged. */
static int copy_open_file(int from, int directory, const char *name)
{
	char temporary[64];
	struct stat status;
	if (fstat(from, &status) != 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EINVAL;
	snprintf(temporary, sizeof temporary, ".copying-%ld", (long)getpid());
	unlinkat(directory, temporary, 0);
	int to = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return errno;
	int code = ioctl(to, FICLONE, from) == 0 ? 0 : copy_bytes(from, to);
	if (code == 0 && fchmod(to, 0600 | (status.st_mode & 0044)) != 0)
		code = errno;
	close(to);
	if (code == 0 && renameat(directory, temporary, directory, name) != 0)
		code = errno;
	if (code != 0)
		unlinkat(directory, temporary, 0);
	return code;
}

int copy_file(const char *path, int directory, const char *name)
{
	int from = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (from < 0)
		return errno;
	int code = copy_open_file(from, directory, name);
	close(from);
	return code;
}

static bool is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is = fd >= 0 && read(fd, magic, sizeof magic) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
	if (fd >= 0)
		close(fd);
	return is;
}

int archive_copy(struct archive *archive, const char *path, const char *name)
{
	if (faccessat(archive->directory, name, F_OK, 0) == 0)
		return 0;
	return copy_file(path, archive->directory, name);
}

bool file_unchanged(const char *path, const char *checksum)
{
	struct stat status;
	uint64_t size, time;
	if (!checksum || sscanf(checksum, "%" SCNu64 ":%" SCNu64, &size, &time) != 2)
		return true;
	return stat(path, &status) == 0 && (uint64_t)status.st_size == size && (uint64_t)status.st_mtim.tv_sec == time;
}

/* 0 or an errno value. */
static int archive_object(struct archive *archive, const char *path, const char *name)
{
	struct stat original, now;
	if (stat(path, &original) != 0)
		return errno;
	if (access(path, R_OK) == 0 && copy_cache_link(&archive->cache, &original, archive->directory, name))
		return 0;
	int code = archive_copy(archive, path, name);
	if (code == 0 && stat(path, &now) == 0 && now.st_size == original.st_size &&
		now.st_mtim.tv_sec == original.st_mtim.tv_sec && now.st_mtim.tv_nsec == original.st_mtim.tv_nsec)
		copy_cache_keep(&archive->cache, &original, archive->directory, name);
	return code;
}

static void archive_segment(struct archive *archive, const struct mapped_segment *segment)
{
	char name[ARCHIVE_NAME_MAX];
	if (segment->path[0] != '/' || strcmp(segment->path, archive->collector) == 0)
		return;
	archive_object_name(name, segment->path, segment->build_id, segment->checksum);
	if (faccessat(archive->directory, name, F_OK, 0) == 0)
		return;
	if (access(segment->path, F_OK) != 0) {
		archive_warn(archive, "not archived: %s: %s", segment->path, strerror(errno));
	} else if (!file_unchanged(segment->path, segment->checksum)) {
		archive_warn(archive, "not archived: %s was replaced while the target ran", segment->path);
	} else if (!is_elf(segment->path)) {
		archive_warn(archive, "not archived: %s is no ELF file that can be read", segment->path);
	} else {
		int code = archive_object(archive, segment->path, name);
		if (code != 0)
			archive_warn(archive, "not archived: %s: %s", segment->path, strerror(code));
	}
}

void archive_objects(struct archive *archive, const struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->segment_count && !interrupt_pending(); i++)
		archive_segment(archive, &experiment->segments[i]);
}
