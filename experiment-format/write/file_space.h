/* SPDX-License-Identifier: Apache-2.0 */
/* Making room in a file and mapping it so that writing to the mapping cannot fail later. Internal to write/. Offsets are
   multiples of PAGE_UNIT, which may be less than the kernel's page: a mapping then begins before what was asked for. */
#ifndef FILE_SPACE_H
#define FILE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machine's page size, a multiple of PAGE_UNIT. */
size_t file_space_page_size(void);

/* Whether a file may not grow to `end` bytes: the kernel would raise SIGXFSZ, which kills most programs. */
bool file_space_over_limit(uint64_t end);
/* Whether there is such a limit at all. */
bool file_space_is_limited(void);

/* Allocates disk space, zeroed, and extends the file over it. 0 or an errno value; no signal is raised. */
int file_space_allocate(int fd, uint64_t offset, uint64_t size);

/* Address space for one file_space_map, taken first so that lack of it costs no disk. */
struct file_reservation {
	char *start; /* 0: none */
	size_t size;
};
struct file_reservation file_space_reserve(size_t size);
void file_space_give_up(const struct file_reservation *reserved);

/* Maps allocated space shared and writable in a reservation of that size, which is used up in any case. 0: failed. */
void *file_space_map(const struct file_reservation *reserved, size_t size, int fd, uint64_t offset);
void file_space_unmap(void *mapped, size_t size);

#endif
