/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/self/maps, line by line. */
#include "process_maps.h"
#include "system_calls.h"
#include <fcntl.h>
#include <string.h>

static uint64_t read_hex(const char **at)
{
	uint64_t number = 0;
	for (;; ++*at) {
		char c = **at;
		if (c >= '0' && c <= '9')
			number = number * 16 + (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number * 16 + (uint64_t)(c - 'a' + 10);
		else
			return number;
	}
}

/* START-END PERMISSIONS OFFSET DEVICE INODE   PATH */
static void decode(const char *line, struct mapping *mapping)
{
	mapping->start = read_hex(&line);
	line += *line == '-';
	mapping->end = read_hex(&line);
	line += *line == ' ';
	mapping->readable = line[0] == 'r';
	mapping->writable = line[0] && line[1] == 'w';
	mapping->executable = line[0] && line[1] && line[2] == 'x';
	mapping->shared = line[0] && line[1] && line[2] && line[3] == 's';
	line += strcspn(line, " ");
	line += strspn(line, " ");
	mapping->file_offset = read_hex(&line);
	line += strspn(line, " ");
	mapping->device = read_hex(&line) << 32; /* MAJOR:MINOR */
	line += *line == ':';
	mapping->device |= read_hex(&line);
	line += strspn(line, " ");
	mapping->inode = 0;
	for (; *line >= '0' && *line <= '9'; line++)
		mapping->inode = mapping->inode * 10 + (uint64_t)(*line - '0');
	line += strspn(line, " ");
	mapping->path = line;
}

void process_maps_visit(char *buffer, size_t size, bool (*f)(const struct mapping *mapping, void *data), void *data)
{
	size_t used = 0;
	bool done = false;
	int fd = sys_openat(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	while (fd >= 0 && !done) {
		long n = sys_read(fd, buffer + used, size - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
		buffer[used] = 0;
		char *line = buffer, *end;
		while (!done && (end = strchr(line, '\n'))) {
			struct mapping mapping;
			*end = 0;
			decode(line, &mapping);
			done = f(&mapping, data);
			line = end + 1;
		}
		used -= (size_t)(line - buffer);
		memmove(buffer, line, used);
	}
	if (fd >= 0)
		sys_close(fd);
}
