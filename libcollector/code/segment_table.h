/* SPDX-License-Identifier: Apache-2.0 */
/* The executable segments that map.xml tells of, in memory. The caller keeps others out. */
#ifndef SEGMENT_TABLE_H
#define SEGMENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_MAX 40 /* bytes; GNU's are 20 */

struct segment {
	uint64_t address, size, file_offset, file_address;
	const char *path; /* absolute, or "[vdso]" */
	char build_id[2 * BUILD_ID_MAX + 1];
	uint64_t file_size, file_time; /* identity; 0, 0: no such file */
	bool mapped;
	bool listed; /* by the loader; else it was found in maps */
	bool seen;   /* at the last look */
};

/* A mapped segment that overlaps the stretch, or 0. */
struct segment *segment_find(uint64_t address, uint64_t size);
/* A new one, zero but for a copy of `path`. 0: no memory. */
struct segment *segment_add(const char *path);
/* Calls f for each mapped one. */
void segments_visit(void (*f)(struct segment *segment));

#endif
