/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of the IN family: comparisons of numbers, or a test of each call stack. */
#include "expression_nodes.h"

#include <stdlib.h>

static uint32_t leaf_node(struct expression *expression, enum operation operation, int64_t value, struct error *error)
{
	return expression_node(expression,
		&(struct expression_node){
			.operation = operation, .number = value, .left = NO_NODE, .right = NO_NODE, .third = NO_NODE},
		error);
}

static uint32_t pair(
	struct expression *expression, enum operation operation, uint32_t left, uint32_t right, struct error *error)
{
	return expression_node(expression,
		&(struct expression_node){.operation = operation, .left = left, .right = right, .third = NO_NODE},
		error);
}

/* Combines nodes as a balanced tree, in their place. */
static uint32_t combine(
	struct expression *expression, enum operation operation, uint32_t *nodes, uint32_t count, struct error *error)
{
	for (; count > 1; count = (count + 1) / 2)
		for (uint32_t i = 0; i < count; i += 2) {
			uint32_t node = nodes[i];
			if (i + 1 < count)
				node = pair(expression, operation, nodes[i], nodes[i + 1], error);
			if (node == NO_NODE)
				return NO_NODE;
			nodes[i / 2] = node;
		}
	return nodes[0];
}

struct elements {
	uint32_t *nodes, count;
};

/* The elements of a list, of lists in it as well; anything else is one. */
static void flatten(const struct expression *expression, struct elements *elements, uint32_t node)
{
	for (; node != NO_NODE && expression->nodes[node].operation == OPERATION_LIST;
		node = expression->nodes[node].right)
		flatten(expression, elements, expression->nodes[node].left);
	if (node == NO_NODE)
		return;
	elements->nodes = memory_room(elements->nodes, elements->count, sizeof *elements->nodes);
	elements->nodes[elements->count++] = node;
}

static bool is_stack(const struct expression *expression, const struct elements *elements)
{
	return elements->count == 1 && expression->nodes[elements->nodes[0]].operation == OPERATION_STACK;
}

/* STACK is the node's number. */
static uint32_t in_stack(struct expression *expression, enum stack_relation relation, int64_t stack,
	const struct elements *functions, struct error *error)
{
	struct stack_test test = {.view = stack_view(stack), .elements = stack_elements(stack), .relation = relation};
	test.places = memory_new(functions->count, sizeof *test.places);
	for (uint32_t i = 0; i < functions->count; i++) {
		const struct expression_node *node = &expression->nodes[functions->nodes[i]];
		bool pattern = node->operation == OPERATION_PATTERN;
		bool number = node->operation == OPERATION_NUMBER && test.elements == EXPRESSION_FUNCTIONS;
		if (!pattern && !number) {
			free(test.places);
			error_set(error, "beside a call stack there can only be FNAME, or a list of it");
			return NO_NODE;
		}
		test.places[test.place_count++] =
			(struct stack_place){pattern ? (uint32_t)node->number : NO_NODE, node->number};
	}
	expression->tests = memory_room(expression->tests, expression->test_count, sizeof *expression->tests);
	expression->tests[expression->test_count] = test;
	return leaf_node(expression, OPERATION_STACK_TEST, expression->test_count++, error);
}

/* Element l on the left equals element r on the right. */
static uint32_t equal(struct expression *expression, const struct elements *left, const struct elements *right,
	uint32_t l, uint32_t r, struct error *error)
{
	return pair(expression, OPERATION_EQUAL, left->nodes[l], right->nodes[r], error);
}

/* A table of comparisons: `inner` joins each row, `outer` the rows. In the one for ORDERED a row is a place on the right
   where the left list could begin, else it is an element on the left. */
static uint32_t in_numbers(struct expression *expression, enum in_form form, const struct elements *left,
	const struct elements *right, struct error *error)
{
	bool ordered = form == IN_ORDERED;
	if (ordered && left->count > right->count)
		return leaf_node(expression, OPERATION_NUMBER, 0, error);
	uint32_t rows = ordered ? right->count - left->count + 1 : left->count;
	uint32_t cells = ordered ? left->count : right->count;
	enum operation inner = ordered ? OPERATION_AND : OPERATION_OR;
	enum operation outer = form == IN_ALL ? OPERATION_AND : OPERATION_OR;
	uint32_t *row = memory_new(rows, sizeof *row), *cell = memory_new(cells, sizeof *cell);
	uint32_t node = 0;
	for (uint32_t r = 0; r < rows && node != NO_NODE; r++) {
		for (uint32_t c = 0; c < cells && node != NO_NODE; c++)
			node = cell[c] = ordered ? equal(expression, left, right, c, r + c, error)
						 : equal(expression, left, right, r, c, error);
		if (node != NO_NODE)
			node = row[r] = combine(expression, inner, cell, cells, error);
	}
	if (node != NO_NODE)
		node = combine(expression, outer, row, rows, error);
	free(row);
	free(cell);
	return node;
}

static bool all_numbers(const struct expression *expression, const struct elements *elements, struct error *error)
{
	for (uint32_t i = 0; i < elements->count; i++)
		if (!operation_is_number(expression->nodes[elements->nodes[i]].operation))
			return error_set(error, "FNAME goes with one call stack or LEAF, and these with FNAME only");
	return true;
}

static uint32_t in_elements(struct expression *expression, enum in_form form, const struct elements *left,
	const struct elements *right, struct error *error)
{
	static const enum stack_relation relations[] = {
		[IN_ALL] = STACK_HAS_ALL, [IN_SOME] = STACK_HAS_SOME, [IN_ORDERED] = STACK_HAS_RUN};
	if (is_stack(expression, right)) {
		int64_t stack = expression->nodes[right->nodes[0]].number;
		return in_stack(expression, relations[form], stack, left, error);
	}
	if (is_stack(expression, left)) {
		int64_t stack = expression->nodes[left->nodes[0]].number;
		if (form == IN_ORDERED && stack_view(stack) != EXPRESSION_LEAF) {
			error_set(error, "a call stack can only stand on the right of ORDERED IN");
			return NO_NODE;
		}
		return in_stack(expression, form == IN_ALL ? STACK_ONLY_OF : STACK_HAS_SOME, stack, right, error);
	}
	if (!all_numbers(expression, left, error) || !all_numbers(expression, right, error))
		return NO_NODE;
	return in_numbers(expression, form, left, right, error);
}

uint32_t expression_in(
	struct expression *expression, enum in_form form, uint32_t left, uint32_t right, struct error *error)
{
	struct elements lefts = {0}, rights = {0};
	flatten(expression, &lefts, left);
	flatten(expression, &rights, right);
	uint32_t node = in_elements(expression, form, &lefts, &rights, error);
	free(lefts.nodes);
	free(rights.nodes);
	return node;
}
