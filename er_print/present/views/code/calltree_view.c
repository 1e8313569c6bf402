/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dynamic call tree: paths by function, each level sorted by what is attributed to it; as a whole, or around a function. */
#include "choose_function.h"
#include "command_functions.h"
#include "list_view.h"
#include "metric_columns.h"
#include "tree_shapes.h"

#include <stdlib.h>

struct calltree {
	struct session *session;
	struct table table;
	struct metric_list list;
	struct metric_item sorted;
	const struct path_tree *tree;
	size_t hidden; /* call paths that the setting leaves out */
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

/* The sorted metric, or the first one that is shown, in one of the groups that are compared has the share of its total that is
   asked for. Quotients have none. */
static bool is_large(const struct calltree *calltree, uint32_t node)
{
	struct session *session = calltree->session;
	const uint64_t *total = session_sums(session)->total;
	const struct metric_item *item = &calltree->sorted;
	for (unsigned i = 0; item->type != ITEM_METRIC && i < calltree->list.count; i++)
		item = &calltree->list.items[i];
	if (item->type != ITEM_METRIC || metric_is_derived(&session_table(session)->rows[item->metric]))
		return true;
	for (unsigned group = 0; group < session_groups(session); group++) {
		unsigned metric = session_group_metric(session, item->metric, group);
		const uint64_t *sums = calltree->tree->inclusive[metric];
		if (sums && (double)sums[node] * 100 >= session->tree_setting.threshold * (double)total[metric])
			return true;
	}
	return false;
}

static size_t subtree_size(const struct path_tree *tree, uint32_t node)
{
	size_t size = 1;
	for (uint32_t at = node;;) {
		if (tree->nodes[at].first_child) {
			at = tree->nodes[at].first_child;
		} else {
			while (at != node && !tree->nodes[at].next_sibling)
				at = tree->nodes[at].parent;
			if (at == node)
				return size;
			at = tree->nodes[at].next_sibling;
		}
		size++;
	}
}

/* Whether a child at this depth is shown; one that is not is counted with all below it. */
static bool is_shown(struct calltree *calltree, uint32_t child, uint32_t depth)
{
	const struct tree_setting *setting = &calltree->session->tree_setting;
	bool shown =
		(!setting->depth || depth <= setting->depth) && (setting->threshold <= 0 || is_large(calltree, child));
	if (!shown)
		calltree->hidden += subtree_size(calltree->tree, child);
	return shown;
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
		if (!metric_columns_have_value(calltree->session, &calltree->list, &calltree->sorted, &values) ||
			!is_shown(calltree, child, depth + 1))
			continue;
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

static void add_rows(struct calltree *calltree, const struct path_tree *tree)
{
	struct waiting waiting = {0};
	uint32_t node = 0, depth = 0;
	size_t limit = calltree->session->limit ? calltree->table.row_count + calltree->session->limit : SIZE_MAX;
	calltree->tree = tree;
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

static void begin(struct calltree *calltree, struct session *session, const char *title)
{
	*calltree = (struct calltree){.session = session};
	calltree->table.tree = true;
	metric_list_attributed(&calltree->list, &session->metrics);
	calltree->sorted = session->sort.item;
	if (calltree->sorted.type == ITEM_METRIC)
		calltree->sorted.flavour = ATTRIBUTED;
	char metric[128];
	struct metric_context context = session_metrics(session);
	metric_item_title(&calltree->sorted, &context, metric, sizeof metric);
	table_preamble(&calltree->table, table_text(&calltree->table, "%s. Metric: %s", title, metric));
	table_preamble(&calltree->table, "");
	metric_columns_add(session, &calltree->table, &calltree->list, &calltree->sorted, COLUMN_TEXT, "Name");
}

static void finish(struct calltree *calltree)
{
	char setting[96];
	tree_setting_text(&calltree->session->tree_setting, setting, sizeof setting);
	if (calltree->hidden)
		table_footnote(
			&calltree->table, table_text(&calltree->table, "%zu more call path%s not shown (tree %s)",
						  calltree->hidden, calltree->hidden == 1 ? " is" : "s are", setting));
	session_print(calltree->session, &calltree->table);
}

bool command_calltree(struct session *session, unsigned argc, char **argv)
{
	struct calltree calltree;
	bool bottom_up = session->tree_setting.bottom_up;
	struct path_tree *inverted = bottom_up ? path_tree_inverted(session_merged(session)) : 0;
	(void)argc;
	(void)argv;
	begin(&calltree, session, bottom_up ? "Functions Call Tree, bottom up" : "Functions Call Tree");
	add_rows(&calltree, bottom_up ? inverted : session_merged(session));
	finish(&calltree);
	path_tree_free(inverted);
	return true;
}

bool command_calltree_around(struct session *session, unsigned argc, char **argv)
{
	struct calltree calltree;
	uint32_t function;
	if (!argc)
		return session_error(session, "Invalid argument to command: calltree_around: the function is missing");
	if (!choose_function(session, argv[0], argc > 1 ? argv[1] : 0, &function))
		return false;
	struct path_tree *callers = path_tree_callers_of(session_merged(session), function);
	struct path_tree *callees = path_tree_callees_of(session_merged(session), function);
	begin(&calltree, session, "Functions Call Tree around a function");
	table_section(&calltree.table, "============== Callers");
	add_rows(&calltree, callers);
	table_blank(&calltree.table);
	table_section(&calltree.table, "============== Callees");
	add_rows(&calltree, callees);
	finish(&calltree);
	path_tree_free(callers);
	path_tree_free(callees);
	return true;
}
