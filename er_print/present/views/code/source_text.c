/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads source files. */
#include "source_text.h"
#include "storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_MAX = 256 << 20 };

/* Regular files only: a path from debug information may name anything. */
static char *read_all(const char *path, size_t *size)
{
	struct stat status;
	FILE *file =
		stat(path, &status) || !S_ISREG(status.st_mode) || status.st_size > SOURCE_MAX ? 0 : fopen(path, "re");
	if (!file)
		return 0;
	char *bytes = memory_new((size_t)status.st_size + 1, 1);
	*size = fread(bytes, 1, (size_t)status.st_size, file);
	fclose(file);
	return bytes;
}

struct source_text source_text_read(struct resolver *resolver, uint32_t file)
{
	struct source_text text = {.path = file ? resolver_file_found(resolver, file) : 0};
	size_t size = 0, capacity = 0;
	if (text.path)
		text.bytes = read_all(text.path, &size);
	if (!text.bytes) {
		text.path = 0;
		return text;
	}
	for (char *at = text.bytes; at < text.bytes + size;) {
		memory_reserve(text.lines, text.count, capacity);
		text.lines[text.count++] = at;
		char *end = memchr(at, '\n', (size_t)(text.bytes + size - at));
		if (!end)
			break;
		if (end > at && end[-1] == '\r')
			end[-1] = 0;
		*end = 0;
		at = end + 1;
	}
	return text;
}

void source_text_free(struct source_text *text)
{
	free(text->bytes);
	free(text->lines);
	*text = (struct source_text){0};
}

const char *source_text_warning(struct resolver *resolver, uint32_t file, uint32_t function)
{
	return resolver_file_is_newer(resolver, file, resolver_function(resolver, function)->object)
		       ? "*** Warning: the source file is newer than the load object: its lines may not be those of "
			 "the code"
		       : 0;
}

const char *source_text_line(const struct source_text *text, uint32_t line)
{
	return line >= 1 && line <= text->count ? text->lines[line - 1] : "";
}
