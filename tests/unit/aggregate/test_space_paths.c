// SPDX-License-Identifier: Apache-2.0
// Ways between two places of a graph: edges of exceptions are taken only where there is no other way.
#include "space_paths.h"
#include <check.h>
#include <stdlib.h>

/* 0 leads to 1, and by an exception to 2; both lead to 3, which leads back to 0 and returns. 10 instructions of one byte each. */
static const uint32_t successors[] = {1, 2, 3, 3, 0}, predecessors[] = {3, 0, 0, 1, 2};
static uint32_t returning[] = {3};
static struct code_block code_blocks[4];
static struct code_blocks code = {.blocks = code_blocks, .count = 4, .instruction_size = 1};
static struct flow_block blocks[4];

static struct flow_graph make(bool has_pad)
{
	static const uint32_t first_successor[] = {0, 2, 3, 4, 5}, first_predecessor[] = {0, 1, 2, 3, 5};
	for (uint32_t b = 0; b < 4; b++) {
		code_blocks[b] = (struct code_block){.start = 10 * b, .end = 10 * b + 10};
		blocks[b] = (struct flow_block){.first = 10 * b,
			.end = 10 * b + 10,
			.start = 10 * b,
			.successor = first_successor[b],
			.successor_count = first_successor[b + 1] - first_successor[b],
			.predecessor = first_predecessor[b],
			.predecessor_count = first_predecessor[b + 1] - first_predecessor[b],
			.returns = b == 3,
			.is_pad = has_pad && b == 2};
	}
	struct flow_graph graph = {.blocks = blocks,
		.block_count = 4,
		.successors = (uint32_t *)successors,
		.predecessors = (uint32_t *)predecessors,
		.edge_count = 5,
		.returning = returning,
		.returning_count = 1,
		.code = &code};
	flow_graph_find_loops(&graph);
	return graph;
}

/* The blocks of each sub-space, as bits, from a block to another one's last instruction. */
static void check(bool has_pad, uint32_t from, uint32_t to, unsigned first, unsigned second)
{
	struct flow_graph graph = make(has_pad);
	struct space_ways ways;
	unsigned found[2] = {0};
	space_ways_find(
		&ways, &graph, (struct flow_place){from, 10 * from + 5}, (struct flow_place){to, 10 * to + 9}, false);
	for (unsigned part = 0; part < ways.count; part++)
		for (uint32_t i = 0; i < ways.pair_count[part]; i++)
			found[part] |= 1u << ways.pairs[part][i].first / 10;
	ck_assert_uint_eq(found[0], first);
	ck_assert_uint_eq(found[1], second);
	space_ways_free(&ways);
	free(graph.loops);
}

START_TEST(exceptions_are_rare)
{
	check(false, 0, 3, 1 << 0, 1 << 3);                      /* two ways */
	check(true, 0, 3, 1 << 0 | 1 << 1 | 1 << 3, 0);          /* one */
	check(true, 0, 2, 1 << 0 | 1 << 2, 0);                   /* into the pad */
	check(true, 2, 3, 1 << 2 | 1 << 3, 0);                   /* out of it */
	check(true, 2, 1, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3, 0); /* round the loop */
	check(true, 1, 2, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("space paths");
	TCase *test = tcase_create("ways");
	tcase_add_test(test, exceptions_are_rare);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
