/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exclusive and inclusive sums by a key of each frame (function, source line, pc, load object): an event's
   weight is added once to each key that occurs on its path (recursion counted once), and to the key of its
   leaf as exclusive. */
#ifndef KEY_SUMS_H
#define KEY_SUMS_H

#include "path_tree.h"

struct key_sums {
	const struct metric_table *metrics;
	uint32_t key_count;
	uint64_t **exclusive, **inclusive; /* [metric][key]; null where the tree's are */
	bool *seen;                        /* the key occurs in the tree */
	bool *always_leaf;                 /* it occurs, and never as a caller of anything */
};
enum { NO_KEY = UINT32_MAX };
typedef uint32_t path_key(const void *context, const struct frame *frame); /* NO_KEY: counts for none */
/* Keys are below key_count. <Total> (node 0) is a frame like any other. */
struct key_sums *key_sums_compute(const struct path_tree *tree, uint32_t key_count, path_key *key, const void *context);
void key_sums_free(struct key_sums *sums);

/* Keys that many views want; context is the struct resolver. */
path_key key_function, key_object;

#endif
