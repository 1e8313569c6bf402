/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads through zlib, which hands on what is not compressed as it is. */
#include "import_input.h"
#include "input.h"
#include "progress.h"
#include "storage.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PART = 1 << 16 };
struct import_input {
	char *path;
	gzFile file;
	char *bytes; /* from `at` to `end`: read and not handed on */
	size_t at, end, capacity;
	char why[256]; /* empty: no error */
};

static void note_error(struct import_input *input)
{
	int code = errno, kind;
	const char *text = gzerror(input->file, &kind);
	if (kind != Z_OK)
		snprintf(input->why, sizeof input->why, "%s",
			kind == Z_ERRNO       ? strerror(code)
			: kind == Z_BUF_ERROR ? "the compressed file ends too early"
					      : text);
}

/* Reads more behind what there is. False at the end. */
static bool read_more(struct import_input *input)
{
	progress_show(input->path, 0, 0);
	if (*input->why)
		return false;
	if (input->at) {
		memmove(input->bytes, input->bytes + input->at, input->end - input->at);
		input->end -= input->at;
		input->at = 0;
	}
	/* One byte more than is read: the 0 behind a last line. */
	if (input->capacity - input->end < PART + 1)
		input->bytes = memory_resize(input->bytes, input->capacity = input->capacity * 2 + PART + 1, 1);
	int got = gzread(input->file, input->bytes + input->end, PART);
	if (got <= 0)
		note_error(input);
	input->end += got > 0 ? (size_t)got : 0;
	return got > 0;
}

struct import_input *import_input_open(const char *path, struct error *error)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	gzFile file = descriptor >= 0 ? gzdopen(descriptor, "r") : 0;
	if (!file) {
		error_set(error, "%s: %s", path, strerror(errno));
		if (descriptor >= 0)
			close(descriptor);
		return 0;
	}
	struct import_input *input = memory_new(1, sizeof *input);
	input->path = strdup(path);
	input->file = file;
	gzbuffer(file, PART);
	return input;
}

void import_input_close(struct import_input *input)
{
	gzclose(input->file);
	free(input->bytes);
	free(input->path);
	free(input);
}

size_t import_input_peek(struct import_input *input, unsigned char *bytes, size_t most)
{
	while (input->end - input->at < most && read_more(input))
		;
	size_t size = input->end - input->at < most ? input->end - input->at : most;
	if (size)
		memcpy(bytes, input->bytes + input->at, size);
	return size;
}

ssize_t import_input_line(struct import_input *input, char **line)
{
	size_t seen = 0;
	char *newline = 0;
	do {
		size_t left = input->end - input->at;
		newline = left > seen ? memchr(input->bytes + input->at + seen, '\n', left - seen) : 0;
		seen = left;
	} while (!newline && read_more(input));
	if (!newline && input->end == input->at)
		return -1;
	*line = input->bytes + input->at;
	size_t length = newline ? (size_t)(newline - *line) : input->end - input->at;
	(*line)[length] = 0;
	input->at += length + (newline != 0);
	return (ssize_t)length;
}

const unsigned char *import_input_rest(struct import_input *input, size_t *size, struct error *error)
{
	while (input->end - input->at <= INPUT_WHOLE_MAX && read_more(input))
		;
	*size = input->end - input->at;
	if (*size > INPUT_WHOLE_MAX) {
		error_set(error, "%s: it has more than %zu bytes", input->path, (size_t)INPUT_WHOLE_MAX);
		return 0;
	}
	return (const unsigned char *)input->bytes + input->at;
}

bool import_input_good(const struct import_input *input, struct error *error)
{
	return !*input->why || error_set(error, "%s: %s", input->path, input->why);
}
