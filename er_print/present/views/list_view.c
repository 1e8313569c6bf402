/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists sorted by a metric. */
#include "list_view.h"
#include "metric_columns.h"

#include <stdlib.h>
#include <string.h>

bool key_has_sum(const struct key_sums *sums, uint32_t key)
{
	for (unsigned m = 0; m < sums->metrics->count; m++)
		if (sums->inclusive[m] && sums->inclusive[m][key])
			return true;
	return false;
}

struct metric_values total_values(struct session *session)
{
	uint64_t *const *all = session_totals(session);
	return (struct metric_values){.exclusive = all, .inclusive = all, .index = 0, .function = NO_KEY};
}

void list_view_title(struct session *session, struct table *table, const char *what, const struct metric_item *sorted)
{
	char title[128];
	struct metric_context context = session_metrics(session);
	metric_item_title(sorted, &context, title, sizeof title);
	table_preamble(table, table_text(table, "%s sorted by metric: %s", what, title));
	table_preamble(table, "");
}

static struct metric_values values_of(struct session *session, const struct list_view *view, uint32_t key)
{
	return (struct metric_values){.exclusive = view->sums->exclusive,
		.inclusive = view->sums->inclusive,
		.index = key,
		.function = view->function ? view->function(session, view->context, key) : NO_KEY};
}

/* The rows without <Total>, in order: all, or those that have something of what is shown. */
static struct metric_ranked *rank_keys(
	struct session *session, struct table *table, const struct list_view *view, bool all, size_t *count)
{
	const struct metric_list *metrics = view->metrics ? view->metrics : &session->metrics;
	const struct metric_item *sorted = view->sorted ? view->sorted : &session->sort.item;
	struct metric_ranked *rows = memory_new(view->sums->key_count, sizeof *rows);
	*count = 0;
	for (uint32_t key = 0; key < view->sums->key_count; key++) {
		if (!view->sums->seen[key] || !key_has_sum(view->sums, key))
			continue;
		struct metric_values values = values_of(session, view, key);
		if (!all && !metric_columns_have_value(session, metrics, sorted, &values))
			continue;
		const char *name = view->name(session, table, view->context, key);
		if (!name)
			continue;
		rows[*count] = metric_rank(session, sorted, &values, name, key);
		if (view->order)
			rows[*count] = (struct metric_ranked){
				.value = ~view->order(view->context, key), .whole = 1, .name = name, .key = key};
		++*count;
	}
	metric_sort_rows(session, rows, *count);
	return rows;
}

void list_view_print(struct session *session, const struct list_view *view)
{
	struct table table = {.fit_times = view->fit_times};
	const struct metric_list *metrics = view->metrics ? view->metrics : &session->metrics;
	const struct metric_item *sorted = view->sorted ? view->sorted : &session->sort.item;
	static const struct metric_item no_metric = {.type = ITEM_ADDRESS};
	if (view->order) {
		table_preamble(&table, table_text(&table, "%s sorted by %s", view->title, view->order_name));
		table_preamble(&table, "");
	} else {
		list_view_title(session, &table, view->title, sorted);
	}
	metric_columns_add(session, &table, metrics, view->order ? &no_metric : sorted, COLUMN_TEXT, "Name");
	size_t count;
	struct metric_ranked *rows = rank_keys(session, &table, view, !view->code, &count);
	struct metric_values total = total_values(session);
	/* <Total> is as large as any row, so it is the first one, or the last where the order is reversed. */
	size_t limit = session->limit ? session->limit : SIZE_MAX;
	for (size_t place = 0; place < count + 1 && place < limit; place++) {
		bool is_total = place == (session->sort.reversed ? count : 0);
		const struct metric_ranked *row = is_total ? 0 : &rows[place - !session->sort.reversed];
		struct metric_values values = is_total ? total : values_of(session, view, row->key);
		metric_columns_fill(
			session, table_row(&table, ROW_PLAIN), metrics, &values, is_total ? "<Total>" : row->name);
	}
	free(rows);
	session_print(session, &table);
}

uint32_t *list_view_keys(struct session *session, const struct list_view *view, size_t *count)
{
	struct table names = {0};
	struct metric_ranked *rows = rank_keys(session, &names, view, true, count);
	uint32_t *keys = memory_new(*count, sizeof *keys);
	for (size_t i = 0; i < *count; i++)
		keys[i] = rows[i].key;
	free(rows);
	table_free(&names);
	return keys;
}
