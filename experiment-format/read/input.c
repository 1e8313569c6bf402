/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an experiment's files: see input.h. */
#include "input.h"
#include "layout.h"
#include "storage.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int input_open(const char *directory, const char *name)
{
	char *path;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -1;
	/* An experiment from elsewhere may have links out of its directory, or a FIFO on which open() would wait for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(path);
	struct stat status;
	if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

uint64_t input_size(int fd)
{
	struct stat status;
	return fstat(fd, &status) || status.st_size < 0 ? 0 : (uint64_t)status.st_size;
}

size_t input_read(int fd, void *bytes, size_t size, uint64_t offset)
{
	size_t done = 0;
	while (done < size) {
		ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

char *input_whole(const char *directory, const char *name, size_t *size)
{
	return input_start(directory, name, INPUT_WHOLE_MAX, size);
}

char *input_start(const char *directory, const char *name, size_t most, size_t *size)
{
	int fd = input_open(directory, name);
	if (fd < 0)
		return 0;
	/* A sparse file may claim terabytes: only what is before the first hole is text. */
	off_t hole = lseek(fd, 0, SEEK_HOLE);
	uint64_t there = hole < 0 ? input_size(fd) : (uint64_t)hole;
	size_t expected = there < most ? (size_t)there : most;
	char *bytes = memory_new(expected + 1, 1);
	*size = input_read(fd, bytes, expected, 0);
	bytes[*size] = 0;
	close(fd);
	return bytes;
}

char *input_lines(const char *directory, const char *name, size_t *size)
{
	/* The target may be running, and in the midst of a line. */
	enum { TRIES = 3, PAUSE_NS = 1000000 };
	char *text = input_whole(directory, name, size);
	for (unsigned try = 1; try < TRIES && text && *size && text[*size - 1] != '\n'; try++) {
		free(text);
		nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, 0);
		text = input_whole(directory, name, size);
	}
	return text;
}

uint64_t input_skip_hole(int fd, uint64_t offset, uint64_t size)
{
	off_t data = lseek(fd, (off_t)offset, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? size : offset;
	return (uint64_t)data / PAGE_UNIT * PAGE_UNIT;
}
