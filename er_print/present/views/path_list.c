/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of the tree of call paths as a list. */
#include "path_list.h"
#include "compared_cells.h"
#include "list_view.h"

#include <stdlib.h>
#include <string.h>

struct path_list {
	const struct path_tree *tree;
	const struct metric_list *metrics;
};

static bool is_counted(struct session *session, const struct path_list *list, uint32_t node)
{
	for (unsigned i = 0; i < list->metrics->count; i++)
		for (unsigned g = 0; list->metrics->items[i].type == ITEM_METRIC && g < session_groups(session); g++) {
			unsigned metric = session_group_metric(session, list->metrics->items[i].metric, g);
			if (list->tree->exclusive[metric] && list->tree->exclusive[metric][node])
				return true;
		}
	return false;
}

/* "main;work", the outermost function first. */
static const char *path_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	const struct path_list *list = context;
	const char *name = 0;
	if (!is_counted(session, list, key))
		return 0;
	for (uint32_t node = key; node; node = list->tree->nodes[node].parent) {
		uint32_t function = list->tree->nodes[node].frame.function;
		const char *own = table_plain(table, session_function_name(session, table, function));
		name = name ? table_text(table, "%s;%s", own, name) : own;
	}
	return name;
}

void path_list_metric(struct session *session, struct metric_list *metrics, unsigned metric)
{
	bool time = session_table(session)->rows[metric].unit == METRIC_NANOSECONDS;
	if (metrics->count + 1 < METRIC_ITEMS_MAX)
		metrics->items[metrics->count++] =
			(struct metric_item){ITEM_METRIC, EXCLUSIVE, metric, time ? SHOW_TIME : SHOW_VALUE};
}

void path_list_print(
	struct session *session, const char *title, const struct metric_list *metrics, const struct metric_item *sorted)
{
	struct metric_list shown = *metrics;
	shown.items[shown.count++] = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
	const struct path_tree *tree = session_merged(session);
	struct path_list list = {tree, &shown};
	struct key_sums sums = {.metrics = tree->metrics,
		.key_count = tree->count,
		.exclusive = tree->exclusive,
		.inclusive = tree->exclusive,
		.seen = memory_new(tree->count, sizeof *sums.seen)};
	memset(sums.seen, true, tree->count * sizeof *sums.seen);
	list_view_print(session, &(struct list_view){.title = title,
					 .sums = &sums,
					 .context = &list,
					 .name = path_name,
					 .metrics = &shown,
					 .sorted = sorted});
	free(sums.seen);
}
