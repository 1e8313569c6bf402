/* SPDX-License-Identifier: Apache-2.0 */
/* Joining an experiment group: see group.h. */
#include "group.h"
#include "interrupt.h"
#include "message.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* True if the open file is empty or begins as a group does. */
static bool is_group(int fd, const char *path, struct error *error)
{
	char first[sizeof GROUP_FIRST_LINE - 1];
	ssize_t size = pread(fd, first, sizeof first, 0);
	if (size < 0)
		return error_set(error, "Cannot read group file %s: %s", path, strerror(errno));
	if (size > 0 && (size != sizeof first || memcmp(first, GROUP_FIRST_LINE, sizeof first) != 0))
		return error_set(error, "File %s is not an experiment group: its first line is not `%.*s'", path,
			(int)strlen(GROUP_FIRST_LINE) - 1, GROUP_FIRST_LINE);
	return true;
}

bool group_check(const char *path, struct error *error)
{
	struct stat status;
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(error, "Group file %s is not a regular file", path);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		bool ok = is_group(fd, path, error);
		close(fd);
		return ok;
	}
	if (errno != ENOENT)
		return error_set(error, "Cannot open group file %s: %s", path, strerror(errno));
	char directory[PATH_MAX];
	snprintf(directory, sizeof directory, "%s", path);
	char *slash = strrchr(directory, '/');
	if (slash)
		slash[slash == directory] = '\0';
	if (access(slash ? directory : ".", W_OK | X_OK) != 0)
		return error_set(error, "Cannot create group file %s: %s", path, strerror(errno));
	return true;
}

static bool lock(int fd, const char *path, struct error *error)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	for (int attempt = 0; attempt < 12000 && !interrupt_pending(); attempt++) {
		if (fcntl(fd, F_SETLK, &whole) == 0)
			return true;
		if (errno != EACCES && errno != EAGAIN && errno != EINTR)
			return error_set(error, "Cannot lock group file %s: %s", path, strerror(errno));
		nanosleep(&pause, 0);
	}
	return error_set(
		error, "%s: waiting for group file %s", interrupt_pending() ? "User interrupt" : "Timed out", path);
}

bool group_join(const char *path, const char *experiment, struct error *error)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd < 0)
		return error_set(error, "Cannot open group file %s: %s", path, strerror(errno));
	bool ok = lock(fd, path, error) && is_group(fd, path, error);
	if (ok) {
		/* Written by hand, its last line may lack the newline. */
		off_t end = lseek(fd, 0, SEEK_END);
		char last = '\n';
		if (end > 0 && pread(fd, &last, 1, end - 1) != 1)
			last = '\n';
		char text[PATH_MAX + 64];
		int size = snprintf(text, sizeof text, "%s%s%s\n", end == 0 ? GROUP_FIRST_LINE : "",
			last == '\n' ? "" : "\n", experiment);
		if (write(fd, text, (size_t)size) != size)
			ok = error_set(error, "Cannot write group file %s: %s", path, strerror(errno));
	}
	/* Closing gives the lock back. */
	close(fd);
	return ok;
}

/* True if the last line of the file is this one. */
static bool ends_with_line(int fd, off_t end, const char *line, off_t size)
{
	char text[PATH_MAX + 1];
	return end > size && size <= (off_t)sizeof text && pread(fd, text, (size_t)size, end - size) == size &&
	       text[size - 1] == '\n' && memcmp(text, line, (size_t)size - 1) == 0;
}

void group_leave(const char *path, const char *experiment)
{
	struct error error;
	off_t size = (off_t)strlen(experiment) + 1;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (lock(fd, path, &error)) {
		off_t end = lseek(fd, 0, SEEK_END);
		/* A line that stays names an experiment that is not there, which a reader says. */
		if (ends_with_line(fd, end, experiment, size) && ftruncate(fd, end - size) != 0)
			message_warning("Warning: %s is still a member of group %s", experiment, path);
	}
	close(fd);
}
