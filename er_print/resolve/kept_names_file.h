/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a file of kept names: a header, then arrays. They are of this machine's order; the file is no part of an experiment,
   and nothing but the er_print that wrote it reads it. */
#ifndef KEPT_NAMES_FILE_H
#define KEPT_NAMES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kept_place { /* ascending by offset, each once */
	uint64_t offset;
	uint32_t first, count; /* frames, innermost first */
};
struct kept_frame {
	uint32_t function;
	uint32_t file, line; /* of the frame's line; file: a text */
	uint32_t inlined;
};
struct kept_function {
	uint64_t start, size;                          /* 0, 0: it exists only inlined */
	uint32_t mangled, long_name, short_name, file; /* texts */
	uint32_t first_line;
	uint32_t written; /* its names are ours, no linkage name */
};
struct kept_code {           /* ascending, not overlapping */
	uint64_t low, high;  /* [low, high) is owned by the symbol whose code is */
	uint64_t start, end; /* [start, end) */
};

/* Texts are named by their places in `texts`, where each ends with a zero; text 0 is empty. */
struct kept_tables {
	struct kept_place *places;
	struct kept_frame *frames;
	struct kept_function *functions;
	struct kept_code *codes;
	char *texts;
	uint32_t place_count, frame_count, function_count, code_count, text_size;
	void *bytes; /* that they are in; 0: each has memory of its own */
};

/* Reads a file of the folder that has this key. False: there is none, or it is damaged; then all is empty. */
bool kept_tables_read(struct kept_tables *tables, int folder, const char *name, uint64_t key);
/* Writes it, all or nothing. */
void kept_tables_write(const struct kept_tables *tables, int folder, const char *name, uint64_t key);
void kept_tables_free(struct kept_tables *tables);

#endif
