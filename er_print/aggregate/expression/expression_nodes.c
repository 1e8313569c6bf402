/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of an expression: made within bounds, and freed. */
#include "expression_nodes.h"

#include <stdlib.h>

uint32_t expression_node(struct expression *expression, const struct expression_node *node, struct error *error)
{
	struct expression_node made = *node;
	const uint32_t operands[] = {node->left, node->right, node->third};
	made.slots = 1;
	made.cost = 1;
	for (unsigned i = 0; i < 3; i++) {
		if (operands[i] == NO_NODE)
			continue;
		const struct expression_node *operand = &expression->nodes[operands[i]];
		made.height = operand->height >= made.height ? operand->height + 1 : made.height;
		made.cost += operand->cost;
		/* Operand i is evaluated while the i before it keep their columns (Sethi and Ullman's numbers, without the choice
		   of order). */
		made.slots = operand->slots + i > made.slots ? operand->slots + i : made.slots;
	}
	/* A list is never evaluated itself, so its height costs no recursion; it may have as many elements as there are nodes. */
	bool list = node->operation == OPERATION_LIST;
	if (expression->count >= NODES_MAX || (!list && (made.height > HEIGHT_MAX || made.cost > NODES_MAX))) {
		error_set(error, "it is too large");
		return NO_NODE;
	}
	expression->nodes = memory_room(expression->nodes, expression->count, sizeof *expression->nodes);
	expression->nodes[expression->count] = made;
	return expression->count++;
}

void expression_free(struct expression *expression)
{
	if (!expression)
		return;
	for (uint32_t p = 0; p < expression->pattern_count; p++) {
		regfree(&expression->patterns[p].regex);
		free(expression->patterns[p].matches);
	}
	for (uint32_t t = 0; t < expression->test_count; t++) {
		free(expression->tests[t].places);
		free(expression->tests[t].holds);
	}
	kernel_threads_free(&expression->threads);
	data_objects_free(expression->data_objects);
	expression_free_mpi(expression);
	expression_free_heap(expression);
	expression_free_openmp(expression);
	free(expression->nodes);
	free(expression->patterns);
	free(expression->tests);
	free(expression->fields);
	free(expression->leaf_function);
	free(expression->leaf_address);
	free(expression->columns);
	free(expression);
}
