/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dynamic call tree: paths by function, each level sorted by what is attributed to it. */
#include "command_functions.h"
#include "list_view.h"
#include "metric_columns.h"

#include <stdlib.h>

struct calltree {
	struct session *session;
	struct table table;
	struct metric_list list;
	struct metric_item sorted;
	const struct path_tree *tree;
};

static struct metric_values values_of(const struct calltree *calltree, uint32_t node)
{
	return (struct metric_values){.exclusive = calltree->tree->exclusive,
		.inclusive = calltree->tree->inclusive,
		.index = node,
		.function = calltree->tree->nodes[node].frame.function};
}

static const char *name_of(struct calltree *calltree, uint32_t node)
{
	const struct path_node *at = &calltree->tree->nodes[node];
	const char *name = session_function_name(calltree->session, &calltree->table, at->frame.function);
	if (at->heuristic && calltree->session->view_mode == VIEW_EXPERT)
		return table_text(&calltree->table, "%s (found by heuristics)", name);
	return name;
}

static void add_row(struct calltree *calltree, uint32_t node, uint32_t depth)
{
	struct metric_values values = values_of(calltree, node);
	struct cell *row = table_row(&calltree->table, ROW_PLAIN);
	calltree->table.rows[calltree->table.row_count - 1].depth = depth;
	metric_columns_fill(calltree->session, row, &calltree->list, &values, name_of(calltree, node));
}

/* Nodes whose rows are still to come, the next one last: a stack in place of recursion. */
struct waiting {
	struct {
		uint32_t node, depth;
	} * nodes;
	size_t count, capacity;
};

static void push_children(struct calltree *calltree, struct waiting *waiting, uint32_t node, uint32_t depth)
{
	size_t count = 0;
	const struct path_node *nodes = calltree->tree->nodes;
	for (uint32_t child = nodes[node].first_child; child; child = nodes[child].next_sibling)
		count++;
	struct metric_ranked *rows = memory_new(count, sizeof *rows);
	count = 0;
	for (uint32_t child = nodes[node].first_child; child; child = nodes[child].next_sibling) {
		struct metric_values values = values_of(calltree, child);
		rows[count++] = metric_rank(calltree->session, &calltree->sorted, &values,
			session_function_name(calltree->session, &calltree->table, values.function), child);
	}
	metric_sort_rows(calltree->session, rows, count);
	while (count) {
		memory_reserve(waiting->nodes, waiting->count, waiting->capacity);
		waiting->nodes[waiting->count].node = rows[--count].key;
		waiting->nodes[waiting->count++].depth = depth + 1;
	}
	free(rows);
}

static void add_rows(struct calltree *calltree)
{
	struct waiting waiting = {0};
	uint32_t node = 0, depth = 0;
	size_t limit = calltree->session->limit ? calltree->session->limit : SIZE_MAX;
	while (calltree->table.row_count < limit) {
		add_row(calltree, node, depth);
		push_children(calltree, &waiting, node, depth);
		if (!waiting.count)
			break;
		node = waiting.nodes[--waiting.count].node;
		depth = waiting.nodes[waiting.count].depth;
	}
	free(waiting.nodes);
}

bool command_calltree(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct calltree calltree = {.session = session, .tree = session_merged(session)};
	calltree.table.tree = true;
	metric_list_attributed(&calltree.list, &session->metrics);
	calltree.sorted = session->sort.item;
	if (calltree.sorted.type == ITEM_METRIC)
		calltree.sorted.flavour = ATTRIBUTED;
	char title[128];
	struct metric_context context = session_metrics(session);
	metric_item_title(&calltree.sorted, &context, title, sizeof title);
	table_preamble(&calltree.table, table_text(&calltree.table, "Functions Call Tree. Metric: %s", title));
	table_preamble(&calltree.table, "");
	metric_columns_add(session, &calltree.table, &calltree.list, &calltree.sorted, COLUMN_TEXT, "Name");
	add_rows(&calltree);
	session_print(session, &calltree.table);
	return true;
}
