/* SPDX-License-Identifier: Apache-2.0 */
/* Creating a binary file that begins with a header and a description. Internal to write/. */
#ifndef DESCRIBED_FILE_H
#define DESCRIBED_FILE_H

#include "experiment_directory.h"
#include <stdint.h>

/* Creates it with `space` bytes, allocated, after the header. Returns its descriptor or -errno. */
int described_file_create(struct experiment_directory *directory, const char *name, const char *description,
	uint32_t description_size, uint64_t space, uint32_t *header_size);

/* The same, with the space mapped shared and writable. 0 and *code, an errno value, on failure. */
void *described_file_map(struct experiment_directory *directory, const char *name, const char *description,
	uint32_t description_size, uint64_t space, int *code);

#endif
