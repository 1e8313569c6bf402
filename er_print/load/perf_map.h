/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that a run-time announced in its perf map: lines "START SIZE NAME", numbers in hexadecimal. */
#ifndef PERF_MAP_H
#define PERF_MAP_H

#include "data.h"
#include "storage.h"

struct perf_map {
	struct dynamic_function *functions; /* ascending by start, none overlapping */
	uint32_t count;
	struct arena names;
};

/* Reads a map saved in an experiment under that name; empty if there is none. Malformed lines are skipped. */
void perf_map_read(struct perf_map *map, const struct experiment *experiment, const char *name);
void perf_map_free(struct perf_map *map);
const struct dynamic_function *perf_map_find(const struct perf_map *map, uint64_t address);

#endif
