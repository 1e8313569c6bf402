/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that a program announced as it made them. Functions of different times may have been at the same addresses:
   they are in different layers, numbered from 1, in each of which an address is of one function at most. */
#ifndef ANNOUNCED_CODE_H
#define ANNOUNCED_CODE_H

#include "perf_map.h"
#include "segments.h"

struct announced_code {
	struct perf_map *layers; /* layer n is [n - 1] */
	uint32_t layer_count;
	struct mapped_segment *ranges; /* by function of the experiment */
	uint32_t *layer_of;            /* likewise; 0: in none, there are too many */
	struct segments segments;
	struct announced_file {
		const char *owner; /* directory */
		char *bytes;
		size_t size;
	} * files;
	uint32_t file_count;
};

void announced_code_read(struct announced_code *code, const struct experiment *experiment);
void announced_code_free(struct announced_code *code);
/* The layer of the function that holds an address in a generation of the address space; 0: there is none. */
uint32_t announced_code_layer(const struct announced_code *code, uint64_t address, uint32_t generation);
/* The function of a layer that holds the address, or 0. */
const struct dynamic_function *announced_code_find(const struct announced_code *code, uint32_t layer, uint64_t address);

#endif
