/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists by data addresses: which metrics they have. */
#include "data_lists.h"
#include "data_accesses.h"
#include "index_list.h"

bool data_metric_recorded(struct session *session, unsigned metric)
{
	const struct metric *row = &session_table(session)->rows[metric];
	for (uint32_t e = 0; row->counter && e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		int counter = metric_counter_in(file, row->counter);
		if (counter >= 0 && counter_has_addresses(file, (uint64_t)counter))
			return true;
	}
	return false;
}

static void add_item(struct metric_list *list, unsigned metric, unsigned show)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].metric == metric)
			return;
	if (list->count < METRIC_ITEMS_MAX)
		list->items[list->count++] = (struct metric_item){ITEM_METRIC, DATA_DERIVED, metric, show};
}

/* Whether the user chose which metrics data have, apart from those of functions. */
static bool chosen_apart(const struct metric_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type == ITEM_METRIC && list->items[i].flavour == DATA_DERIVED)
			return true;
	return false;
}

bool data_metrics(struct session *session, struct metric_list *list, struct metric_item *sorted)
{
	const struct metric_table *table = session_table(session);
	const struct metric_item name = {.type = ITEM_NAME, .show = SHOW_VALUE};
	bool apart = chosen_apart(&session->metrics);
	list->count = 0;
	for (unsigned i = 0; i < session->metrics.count; i++) {
		const struct metric_item *item = &session->metrics.items[i];
		if (item->type == ITEM_METRIC && item->show && (!apart || item->flavour == DATA_DERIVED) &&
			data_metric_recorded(session, item->metric))
			add_item(list, item->metric, item->show);
	}
	for (unsigned m = 0; m < table->count && !list->count; m++)
		if (data_metric_recorded(session, m))
			add_item(list, m, table->rows[m].unit == METRIC_NANOSECONDS ? SHOW_TIME : SHOW_VALUE);
	if (!list->count)
		return session_error(session, "no data addresses were recorded: collect -h +COUNTER records them, "
					      "+page-faults on any machine");
	session_tell_names_apart(session); /* the rows name what allocated */
	*sorted = list->items[0];
	for (unsigned i = 0; i < list->count; i++)
		if (session->sort.item.type == ITEM_METRIC && session->sort.item.metric == list->items[i].metric)
			*sorted = list->items[i];
	if (session->sort.item.type == ITEM_NAME)
		*sorted = name;
	list->items[list->count++] = name;
	return true;
}

bool data_list_print(struct session *session, const struct index_list *wanted)
{
	struct index_list list = *wanted;
	struct metric_list metrics;
	struct metric_item sorted;
	if (!data_metrics(session, &metrics, &sorted))
		return false;
	list.metrics = &metrics;
	list.sorted = &sorted;
	list.only_shown = true;
	return index_list_print(session, &list);
}
