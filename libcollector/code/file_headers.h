/* SPDX-License-Identifier: Apache-2.0 */
/* The ELF headers at the start of a mapped file. The caller keeps others out (one static buffer). */
#ifndef FILE_HEADERS_H
#define FILE_HEADERS_H

#include "process_maps.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_headers {
	const unsigned char *image; /* the file's first bytes, until the next call */
	size_t size;
};

/* Reads them from the file that is mapped there, if its path still leads to it. Raw system calls only: also in handlers. */
bool file_headers_read(const struct mapping *mapping, struct file_headers *headers);
/* The ELF virtual address of an offset in the file; false: no segment of an ELF file has it. */
bool file_headers_address(const struct file_headers *headers, uint64_t offset, uint64_t *address);

#endif
