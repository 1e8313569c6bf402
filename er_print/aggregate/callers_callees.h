/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributed sums: for each function, how its inclusive time divides among its callers and, with its
   exclusive time, among its callees. The centre is the function's leaf-most occurrence on each path, so a
   recursion's caller is the function itself, and the caller that began the recursion gets only what ended at
   the first level (0 if none did). */
#ifndef CALLERS_CALLEES_H
#define CALLERS_CALLEES_H

#include "path_tree.h"

struct attributed {
	uint32_t centre, other;
	uint64_t *sums; /* [metric] */
};
struct call_graph {
	const struct metric_table *metrics;
	uint32_t function_count;
	struct attributed *callers, *callees;  /* by centre; a root's caller is <Total> */
	uint32_t *callers_from, *callees_from; /* [function]..[function + 1]: its part of the array */
	uint64_t *sums;
};
/* All panels at once, from a merged tree. */
struct call_graph *call_graph_compute(const struct path_tree *merged, uint32_t function_count);
void call_graph_free(struct call_graph *graph);

#endif
