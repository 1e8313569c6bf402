/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the statistics of nodes. */
#include "balance_tree.h"
#include "balance.h"
#include "storage.h"

static uint64_t *values_of(uint64_t *const *sums, uint32_t count, const struct metric_balance *balance)
{
	uint64_t *results = memory_new(count, sizeof *results);
	for (uint32_t node = 0; node < count; node++) {
		struct balance_values values = {.count = 0};
		for (unsigned i = 0; i < balance->count; i++)
			if (sums[balance->first + i])
				balance_add_value(&values, sums[balance->first + i][node], i);
		results[node] = balance_result(&values, balance->statistic);
	}
	return results;
}

void balance_fill_tree(struct path_tree *tree, unsigned row)
{
	const struct metric_balance *balance = &tree->metrics->rows[row].balance;
	if (tree->inclusive[row])
		return;
	tree->exclusive[row] = values_of(tree->exclusive, tree->count, balance);
	tree->inclusive[row] = values_of(tree->inclusive, tree->count, balance);
}
