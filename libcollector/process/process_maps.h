/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/self/maps, line by line. Async-signal-safe. */
#ifndef PROCESS_MAPS_H
#define PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end, file_offset, device, inode;
	bool readable, writable, executable, shared;
	const char *path; /* "" for anonymous memory */
};

/* Calls f for each mapping until it returns true. The buffer is to hold a line: the list ends before a longer one. */
void process_maps_visit(char *buffer, size_t size, bool (*f)(const struct mapping *mapping, void *data), void *data);

#endif
