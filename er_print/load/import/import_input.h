/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a file that is imported, compressed by gzip or not, from a file or a pipe. */
#ifndef IMPORT_INPUT_H
#define IMPORT_INPUT_H

#include "error.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct import_input;

/* 0 and *error if the file cannot be opened or read. */
struct import_input *import_input_open(const char *path, struct error *error);
void import_input_close(struct import_input *input);

/* Looks at the first bytes that were not read yet, without reading them; returns how many there are, at most `most` (up to
   64). */
size_t import_input_peek(struct import_input *input, unsigned char *bytes, size_t most);
/* The next line without its newline, ended by a 0 and valid until the next call. Returns its length, -1 at the end. */
ssize_t import_input_line(struct import_input *input, char **line);
/* All that is left, up to INPUT_WHOLE_MAX bytes; 0 and *error if there is more. The input's. */
const unsigned char *import_input_rest(struct import_input *input, size_t *size, struct error *error);
/* Whether all was read without an error; false and *error otherwise. */
bool import_input_good(const struct import_input *input, struct error *error);

#endif
