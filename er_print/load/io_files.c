/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the names of files out of a log. */
#include "io_files.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 100 * 1000 * 1000 }; /* a number beyond is damage */

static void add_file(struct io_files *files, uint64_t number, uint32_t name)
{
	if (number >= files->count) {
		uint32_t count = files->count ? files->count : 64;
		while (count <= number)
			count *= 2;
		files->name = memory_resize(files->name, count, sizeof *files->name);
		memset(files->name + files->count, 0, (count - files->count) * sizeof *files->name);
		files->count = count;
	}
	files->name[number] = name;
}

void io_files_read(struct io_files *files, const struct experiment *file, struct strings *strings)
{
	*files = (struct io_files){0};
	for (size_t i = 0; i < file->event_count; i++) {
		const struct log_event *event = &file->events[i];
		if (strcmp(event->kind, "io_file") != 0)
			continue;
		const char *number = log_event_attribute(event, "file"), *name = log_event_attribute(event, "name");
		uint64_t value = number ? strtoull(number, 0, 10) : 0;
		/* As many lines cannot name larger numbers. */
		if (value && value < FILES_MAX && value <= file->event_count && name)
			add_file(files, value, strings_number(strings, name) + 1);
	}
}

void io_files_free(struct io_files *files)
{
	free(files->name);
	*files = (struct io_files){0};
}
