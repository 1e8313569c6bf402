/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/self/maps, line by line. The caller keeps others out (one static buffer). */
#ifndef PROCESS_MAPS_H
#define PROCESS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end, file_offset, inode;
	bool readable, writable, executable;
	const char *path; /* "" for anonymous memory */
};

/* Calls f for each mapping until it returns true. */
void process_maps_visit(bool (*f)(const struct mapping *mapping, void *data), void *data);

#endif
