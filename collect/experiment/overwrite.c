/* SPDX-License-Identifier: Apache-2.0 */
/* Removing the experiment that another takes the place of: see overwrite.h. */
#include "overwrite.h"
#include "experiment.h"
#include "remove_tree.h"
#include "still_recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOT_OVERWRITTEN "Option -O: %s %s: it is not overwritten"

/* The path by which the reader finds an open directory, whatever becomes of its name. */
static bool holds_finished_experiment(int fd, const char *path, struct error *error)
{
	char name[64];
	struct error reason;
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	struct experiment *experiment = experiment_open(name, &reason);
	if (!experiment)
		return error_set(error, NOT_OVERWRITTEN, path, "is not an experiment");
	long pid = (long)still_recorded(experiment);
	experiment_close(experiment);
	return !pid ||
	       error_set(error, "Option -O: %s is still recorded, by process %ld: it is not overwritten", path, pid);
}

/* The open directory, -1 and no error if there is nothing of this name. */
static bool open_old(const char *path, int *fd, struct error *error)
{
	struct stat status;
	*fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		return true;
	if (*fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return error_set(error, NOT_OVERWRITTEN, path,
			lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? "is a symbolic link"
									     : "is not a directory");
	if (*fd < 0)
		return error_set(error, "Option -O: %s cannot be opened: %s", path, strerror(errno));
	bool ok = fstat(*fd, &status) == 0 && status.st_uid == geteuid();
	if (!ok)
		error_set(error, NOT_OVERWRITTEN, path, "belongs to another user");
	if (ok && holds_finished_experiment(*fd, path, error))
		return true;
	close(*fd);
	return false;
}

bool overwrite_check(const char *path, struct error *error)
{
	int fd;
	if (!open_old(path, &fd, error))
		return false;
	if (fd >= 0)
		close(fd);
	return true;
}

bool overwrite_remove(const char *path, struct error *error)
{
	int fd;
	struct stat opened, named;
	if (!open_old(path, &fd, error))
		return false;
	if (fd < 0)
		return true;
	bool same = fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
		    opened.st_ino == named.st_ino;
	close(fd);
	if (same)
		remove_tree(AT_FDCWD, path);
	return lstat(path, &named) != 0 ||
	       error_set(error, "Option -O: %s cannot be removed completely: remove it by hand", path);
}
