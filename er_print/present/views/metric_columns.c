/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as columns: headings, cells, order of rows. */
#include "metric_columns.h"
#include "compared_cells.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* A statistic of the members' values, as a share of the same of their totals; an imbalance as one of the worst that there can be.
   That of a place is the number of the member, UINT64_MAX where none has any. */
static struct metric_value balance_of(
	const struct stack_sums *sums, const struct metric_values *values, const struct metric_item *item)
{
	const struct metric_balance *balance = &sums->metrics->rows[item->metric].balance;
	struct balance_values own = {.count = 0}, totals = {.count = 0};
	for (unsigned i = 0; i < balance->count; i++) {
		struct metric_item member = *item;
		member.metric = balance->first + i;
		if (!sums->of[member.metric])
			continue;
		struct metric_value value = metric_value_of(sums, values, &member);
		balance_add_value(&own, value.number, i);
		balance_add_value(&totals, value.whole, i);
	}
	struct metric_value result = {balance_result(&own, balance->statistic), 0};
	if (balance_is_place(balance->statistic) && !own.largest)
		result.number = UINT64_MAX;
	else if (balance_is_place(balance->statistic))
		result.number = sums->metrics->rows[balance->first + result.number].balance.member - 1;
	else if (balance->statistic == BALANCE_imbalance)
		result.whole = balance_worst(&own);
	else
		result.whole = balance_result(&totals, balance->statistic);
	return result;
}

struct metric_value metric_value_of(
	const struct stack_sums *sums, const struct metric_values *values, const struct metric_item *item)
{
	const struct metric *row = &sums->metrics->rows[item->metric];
	if (row->balance.statistic)
		return balance_of(sums, values, item);
	if (row->unit == METRIC_RATIO) {
		struct metric_item part = *item;
		part.metric = (unsigned)row->numerator;
		uint64_t number = metric_value_of(sums, values, &part).number;
		part.metric = (unsigned)row->denominator;
		return (struct metric_value){number, metric_value_of(sums, values, &part).number};
	}
	if (!sums->of[item->metric])
		return (struct metric_value){0, 0};
	if (item->flavour == ATTRIBUTED && values->attributed)
		return (struct metric_value){values->attributed[item->metric],
			values->attributed_whole ? values->attributed_whole[item->metric] : sums->total[item->metric]};
	/* A metric that is derived from data has one sum, which stands for both. */
	uint64_t *const *of = item->flavour == EXCLUSIVE ? values->exclusive : values->inclusive;
	return (struct metric_value){of[item->metric][values->index], sums->total[item->metric]};
}

/* The unit stands under the heading, so a heading is shortened by the word that says the same: "Total CPU" for a time, also before
   what is told of its balance. */
static const char *heading_of(struct table *table, const struct metric_item *item, const struct metric *row)
{
	static const char *const short_flavours[FLAVOUR_COUNT] = {"Excl.", "Incl.", "Attr.", "Data."};
	static const char ending[] = " CPU Time";
	const char *after = row->balance.statistic ? strrchr(row->title, ',') : row->title + strlen(row->title);
	size_t length = (size_t)(after - row->title);
	if (length > strlen(ending) && !strncmp(after - strlen(ending), ending, strlen(ending)))
		length -= strlen(" Time");
	return table_text(table, "%s %.*s%s", short_flavours[item->flavour], (int)length, row->title, after);
}

/* Adds a column of one way of showing an item, whose name in JSON is what asks for it: "e.%totalcpu" becomes "e.totalcpu" and
   "e%totalcpu". Those of the groups after the first are "e.totalcpu@2", "e.totalcpu@2.delta". */
static void add_metric_column(struct session *session, struct table *table, const struct metric_item *item,
	unsigned show, unsigned group, enum column_format format)
{
	char key[128];
	struct metric_item one = *item;
	struct metric_context context = session_metrics(session);
	enum compare_mode mode = session->comparison.mode;
	if (balance_is_place(context.table->rows[item->metric].balance.statistic))
		format = COLUMN_CODE;
	unsigned column = table_column(table, compared_format(session, group, format));
	one.show = show;
	metric_item_text(&one, &context, key, sizeof key);
	table->columns[column].key =
		group ? compared_key(session, table, key, group, group) : table_text(table, "%s", key);
	table->columns[column].errors =
		group && mode == COMPARE_DELTA &&
		session_sample_size(session, session_group_metric(session, item->metric, group)) > 0;
}

static void add_metric_columns(
	struct session *session, struct table *table, const struct metric_item *item, unsigned group)
{
	const struct metric *row = &session_table(session)->rows[item->metric];
	if (item->show & SHOW_TIME)
		add_metric_column(session, table, item, SHOW_TIME, group, COLUMN_TIME);
	if (item->show & SHOW_VALUE)
		add_metric_column(session, table, item, SHOW_VALUE, group, metric_value_format(row->unit));
	if (item->show & SHOW_PERCENT)
		add_metric_column(session, table, item, SHOW_PERCENT, group, COLUMN_PERCENT);
}

/* A metric's columns: those of each group beside each other. */
static void add_metric_groups(
	struct session *session, struct table *table, const struct metric_item *item, const struct metric_item *sorted)
{
	const struct metric *row = &session_table(session)->rows[item->metric];
	unsigned groups = session_groups(session);
	for (unsigned g = 0; g < groups; g++) {
		unsigned changed = balance_is_place(row->balance.statistic) ? 0 : g;
		const char *heading = compared_heading(session, table, changed, heading_of(table, item, row));
		const char *title = compared_heading(session, table, changed, row->title);
		unsigned group = table_group(table, heading, metric_flavour_name(item->flavour), title);
		if (groups > 1)
			table->groups[group].above = table_text(table, "%s", session_group_name(session, g));
		add_metric_columns(session, table, item, g);
		table->groups[group].sorted =
			metric_item_same(item, sorted) && (session->comparison.by_change ? g > 0 : g == 0);
	}
}

/* Attributed metrics are for callers, callees and trees, exclusive and inclusive ones for the other lists. */
static bool list_is_attributed(const struct metric_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type == ITEM_METRIC && list->items[i].flavour != ATTRIBUTED)
			return false;
	return true;
}

/* Data-derived ones are for lists of data, which choose their own. */
static bool item_shown(const struct session *session, const struct metric_list *list, const struct metric_item *item)
{
	if (item->type != ITEM_METRIC || metric_item_is_own(item))
		return item->show;
	return item->show && (item->flavour == ATTRIBUTED ? list_is_attributed(list) : list != &session->metrics);
}

void metric_columns_add(struct session *session, struct table *table, const struct metric_list *list,
	const struct metric_item *sorted, enum column_format name_format, const char *name_heading)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct metric_item *item = &list->items[i];
		if (!item_shown(session, list, item))
			continue;
		unsigned group;
		switch (item->type) {
		case ITEM_METRIC:
			add_metric_groups(session, table, item, sorted);
			continue;
		case ITEM_SIZE:
			group = table_group(table, "Size", "", "Size");
			table_column(table, COLUMN_COUNT);
			break;
		case ITEM_ADDRESS:
			group = table_group(table, "PC Addr.", "", "PC Address");
			table_column(table, COLUMN_ADDRESS);
			break;
		default:
			group = table_group(table, name_heading, name_heading, "");
			table_column(table, name_format);
		}
		table->groups[group].sorted = metric_item_same(item, sorted);
	}
}

static unsigned fill_metric(
	struct session *session, struct cell *cells, const struct metric_item *item, const struct metric_values *values)
{
	unsigned filled = 0;
	for (unsigned g = 0; g < session_groups(session); g++)
		for (unsigned show = SHOW_TIME; show <= SHOW_PERCENT; show <<= 1) {
			if (!(item->show & show))
				continue;
			if (values)
				compared_cell(session, &cells[filled], item, show, values, g);
			filled++;
		}
	return filled;
}

void metric_columns_fill(struct session *session, struct cell *row, const struct metric_list *list,
	const struct metric_values *values, const char *name)
{
	const struct function *function =
		values && values->function != NO_KEY ? resolver_function(session->resolver, values->function) : 0;
	for (unsigned i = 0; i < list->count; i++) {
		const struct metric_item *item = &list->items[i];
		if (!item_shown(session, list, item))
			continue;
		switch (item->type) {
		case ITEM_METRIC:
			row += fill_metric(session, row, item, values);
			break;
		case ITEM_SIZE:
			if (function)
				cell_number(row, function->size);
			row++;
			break;
		case ITEM_ADDRESS:
			if (function)
				cell_pair(row, function->start, function->object + 1ull);
			row++;
			break;
		default:
			if (name)
				cell_words(row, name);
			row++;
		}
	}
}

static bool has_value(struct session *session, const struct metric_item *item, const struct metric_values *values)
{
	const struct stack_sums *sums = session_sums(session);
	const struct metric *row = &session_table(session)->rows[item->metric];
	for (unsigned g = 0; g < session_groups(session); g++) {
		struct metric_item own = compared_item(session, item, g);
		struct metric_value value = metric_value_of(sums, values, &own);
		if (balance_is_place(row->balance.statistic) ? value.number != UINT64_MAX : value.number != 0)
			return true;
		if (row->unit == METRIC_RATIO && value.whole)
			return true;
	}
	return false;
}

/* Samples are of a function's callees as well; calls that were traced are those of one function. */
static bool is_sampled(enum kind kind)
{
	return kind == KIND_CLOCK || kind == KIND_OFFCPU || kind == KIND_OVERFLOW || kind == KIND_READING;
}

bool metric_columns_have_value(struct session *session, const struct metric_list *list,
	const struct metric_item *sorted, const struct metric_values *values)
{
	bool any = false,
	     own = sorted->type == ITEM_METRIC && !is_sampled(session_table(session)->rows[sorted->metric].kind);
	for (unsigned i = 0; i <= list->count; i++) {
		struct metric_item item = i < list->count ? list->items[i] : *sorted;
		if (item.type != ITEM_METRIC)
			continue;
		if (item.flavour == EXCLUSIVE && !own)
			item.flavour = INCLUSIVE;
		if (has_value(session, &item, values))
			return true;
		any = true;
	}
	return !any;
}

/* Rows that the first group lacks are in the order of their changes. */
static void rank_compared(struct session *session, struct metric_ranked *ranked, const struct metric_item *item,
	const struct metric_values *values)
{
	if (session_groups(session) == 1)
		return;
	ranked->then = compared_change(session, item, values);
	if (session->comparison.by_change) {
		ranked->value = ranked->inclusive = 0;
		ranked->whole = 1;
	}
}

struct metric_ranked metric_rank(struct session *session, const struct metric_item *item,
	const struct metric_values *values, const char *name, uint32_t key)
{
	struct metric_ranked ranked = {.name = name, .key = key, .whole = 1};
	const struct function *function =
		values->function != NO_KEY ? resolver_function(session->resolver, values->function) : 0;
	const struct stack_sums *sums = session_sums(session);
	struct metric_value value;
	switch (item->type) {
	case ITEM_METRIC:
		value = metric_value_of(sums, values, item);
		/* Rows of no member come last. */
		ranked.value = value.number + balance_is_place(sums->metrics->rows[item->metric].balance.statistic);
		if (sums->metrics->rows[item->metric].unit == METRIC_RATIO)
			ranked.whole = value.whole;
		if (item->flavour == EXCLUSIVE) {
			struct metric_item whole = *item;
			whole.flavour = INCLUSIVE;
			ranked.inclusive = metric_value_of(sums, values, &whole).number;
		}
		rank_compared(session, &ranked, item, values);
		break;
	case ITEM_SIZE:
		ranked.value = function ? function->size : 0;
		break;
	case ITEM_ADDRESS:
		/* Ascending, where all else is descending. */
		ranked.value = function ? ~((uint64_t)function->object << 48 ^ function->start) : 0;
		break;
	case ITEM_NAME:
		break;
	}
	return ranked;
}

static int compare_ranked(const void *left, const void *right, void *context)
{
	const struct metric_ranked *a = left, *b = right;
	const struct session *session = context;
	int order = 0;
	if (a->whole == b->whole)
		order = COMPARE(b->value, a->value);
	else {
		double x = a->whole ? (double)a->value / (double)a->whole : 0;
		double y = b->whole ? (double)b->value / (double)b->whole : 0;
		order = COMPARE(y, x);
	}
	if (!order)
		order = COMPARE(b->inclusive, a->inclusive);
	if (!order)
		order = COMPARE(b->then, a->then);
	if (!order && session->sort.item.type == ITEM_NAME)
		order = strcmp(a->name, b->name);
	if (session->sort.reversed)
		order = -order;
	return order ?: strcmp(a->name, b->name) ?: COMPARE(a->key, b->key);
}

void metric_sort_rows(const struct session *session, struct metric_ranked *rows, size_t count)
{
	qsort_r(rows, count, sizeof *rows, compare_ranked, (void *)session);
}
