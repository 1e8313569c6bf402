/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: the inclusive sum of a key is that of the nodes that are the first with this key on their
 * path. */
#include "key_sums.h"
#include "storage.h"

#include <stdlib.h>

struct walk {
	const struct path_tree *tree;
	struct key_sums *sums;
	path_key *key;
	const void *context;
	uint32_t *on_path; /* how many nodes of the present path have the key */
};

static uint32_t node_key(const struct walk *walk, uint32_t node)
{
	return walk->key(walk->context, &walk->tree->nodes[node].frame);
}

static void enter(void *context, uint32_t node, uint32_t depth)
{
	struct walk *walk = context;
	(void)depth;
	uint32_t key = node_key(walk, node);
	if (key == NO_KEY)
		return;
	struct key_sums *sums = walk->sums;
	sums->always_leaf[key] = !walk->tree->nodes[node].first_child && (!sums->seen[key] || sums->always_leaf[key]);
	sums->seen[key] = true;
	/* A recursive function is counted once a path, at its outermost node, whose inclusive sum holds the inner ones. */
	bool first = walk->on_path[key]++ == 0;
	for (unsigned m = 0; m < walk->tree->metrics->count; m++) {
		if (!sums->exclusive[m])
			continue;
		sums->exclusive[m][key] += walk->tree->exclusive[m][node];
		if (first)
			sums->inclusive[m][key] += walk->tree->inclusive[m][node];
	}
}

static void leave(void *context, uint32_t node, uint32_t depth)
{
	struct walk *walk = context;
	(void)depth;
	uint32_t key = node_key(walk, node);
	if (key != NO_KEY)
		walk->on_path[key]--;
}

struct key_sums *key_sums_compute(const struct path_tree *tree, uint32_t key_count, path_key *key, const void *context)
{
	struct key_sums *sums = memory_new(1, sizeof *sums);
	unsigned metrics = tree->metrics->count;
	*sums = (struct key_sums){
		.metrics = tree->metrics,
		.key_count = key_count,
		.exclusive = memory_new(metrics, sizeof *sums->exclusive),
		.inclusive = memory_new(metrics, sizeof *sums->inclusive),
		.seen = memory_new(key_count, sizeof *sums->seen),
		.always_leaf = memory_new(key_count, sizeof *sums->always_leaf),
	};
	for (unsigned m = 0; m < metrics; m++)
		if (tree->exclusive[m]) {
			sums->exclusive[m] = memory_new(key_count, sizeof **sums->exclusive);
			sums->inclusive[m] = memory_new(key_count, sizeof **sums->inclusive);
		}
	struct walk walk = {tree, sums, key, context, memory_new(key_count, sizeof *walk.on_path)};
	path_tree_walk(tree, enter, leave, &walk);
	free(walk.on_path);
	return sums;
}

void key_sums_free(struct key_sums *sums)
{
	if (!sums)
		return;
	for (unsigned m = 0; m < sums->metrics->count; m++) {
		free(sums->exclusive[m]);
		free(sums->inclusive[m]);
	}
	free(sums->exclusive);
	free(sums->inclusive);
	free(sums->seen);
	free(sums->always_leaf);
	free(sums);
}

uint32_t key_function(const void *context, const struct frame *frame)
{
	(void)context;
	return frame->function;
}

uint32_t key_object(const void *context, const struct frame *frame)
{
	return resolver_function_object(context, frame->function);
}
