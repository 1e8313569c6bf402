/* SPDX-License-Identifier: Apache-2.0 */
/* Reading files of an experiment that nobody vouches for: only regular files, only by read calls into our own memory, so
   that a file that is cut while we read is a short read and not a SIGBUS. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens DIRECTORY/NAME for reading; neither a symbolic link nor a device nor a pipe. Returns a descriptor, -1 with errno. */
int input_open(const char *directory, const char *name);

/* Its size now, 0 on error. */
uint64_t input_size(int fd);

/* Reads up to `size` bytes at `offset`; returns how many are there. */
size_t input_read(int fd, void *bytes, size_t size, uint64_t offset);

#define INPUT_WHOLE_MAX ((size_t)1 << 30) /* what is beyond is not read */

/* The whole of DIRECTORY/NAME (a text: up to the first hole), ended by an extra 0; the caller frees. 0 with errno if it
   cannot be read. */
char *input_whole(const char *directory, const char *name, size_t *size);
/* As input_whole(), of at most `most` bytes. */
char *input_start(const char *directory, const char *name, size_t most, size_t *size);

/* As input_whole(), of a text of lines. A live writer's last line may be seen in part: then it is read again, a few times in as
   many milliseconds; a part that is still there was cut. */
char *input_lines(const char *directory, const char *name, size_t *size);

/* The first offset from `offset` on, a multiple of 4096, that is not in a hole of the file; `size` if there is none. */
uint64_t input_skip_hole(int fd, uint64_t offset, uint64_t size);

#endif
