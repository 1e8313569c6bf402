/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a log with its last whole line: see cut_line.h. */
#include "cut_line.h"
#include "experiment.h"
#include "layout.h"
#include "message.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL = 1 << 16 }; /* no line is as long */

/* The size of what is cut; -1: it cannot be told. */
static ssize_t cut_size(int fd, off_t size)
{
	static char tail[TAIL];
	off_t from = size > TAIL ? size - TAIL : 0;
	ssize_t there = pread(fd, tail, TAIL, from);
	const char *end = there > 0 ? memrchr(tail, '\n', (size_t)there) : 0;
	return end && from + there == size ? tail + there - (end + 1) : -1;
}

void cut_line_drop(const char *experiment)
{
	char path[PATH_MAX + NAME_MAX];
	struct stat status;
	snprintf(path, sizeof path, "%s/" LOG_FILE, experiment);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	ssize_t cut = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? cut_size(fd, status.st_size) : -1;
	if (cut > 0 && ftruncate(fd, status.st_size - cut) == 0)
		message_warning("Warning: %s: the last message could not be written (disk full?) and is lost", path);
	close(fd);
}
