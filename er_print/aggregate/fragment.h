/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers and callees of a stack fragment, a run of functions each of which calls the next: how the metrics of the
   paths that it is on divide among the callers of its first and the callees of its last function. On a path with
   several such runs the one nearest to the leaf counts. */
#ifndef FRAGMENT_H
#define FRAGMENT_H

#include "callers_callees.h"

struct fragment {
	struct attributed *callers, *callees; /* their centre is the last function */
	uint32_t caller_count, callee_count;
	uint64_t *own;   /* [metric] what ended in the last function */
	uint64_t *whole; /* [metric] own and callees = callers */
	uint64_t *sums;
};
/* For a merged tree; functions are below function_count. */
struct fragment *fragment_compute(
	const struct path_tree *merged, const uint32_t *functions, uint32_t count, uint32_t function_count);
void fragment_free(struct fragment *fragment);

#endif
