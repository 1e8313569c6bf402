/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose the metrics and the order of lists, and list them. */
#include "command_functions.h"
#include "data_lists.h"

#include <strings.h>

static void print_sort(struct session *session)
{
	char title[128], text[128];
	struct metric_context context = session_metrics(session);
	metric_item_title(&session->sort.item, &context, title, sizeof title);
	metric_item_text(&session->sort.item, &context, text, sizeof text);
	fprintf(session_said(session), "Current Sort Metric: %s ( %s%s )\n", title, session->sort.reversed ? "-" : "",
		text);
}

static void print_metrics(struct session *session)
{
	char text[8192];
	struct metric_context context = session_metrics(session);
	metric_list_text(&session->metrics, &context, text, sizeof text);
	fprintf(session_said(session), "Current metrics: %s\n", text);
	print_sort(session);
}

bool command_metrics(struct session *session, unsigned argc, char **argv)
{
	struct error left_out = {""}, error;
	struct metric_context context = session_metrics_for(session, argc ? argv[0] : 0);
	if (argc) {
		if (!strcasecmp(argv[0], "default"))
			metric_list_default(&session->metrics, &context);
		else if (!metric_list_parse(&session->metrics, argv[0], &context, &left_out, &error))
			return session_error(session, "%s", error.text);
		if (*left_out.text)
			session_warning(session, "No data recorded to support metric specification: %s: left out",
				left_out.text);
		metric_sort_default(&session->sort, &session->metrics, &context);
		session_want_shown(session);
	}
	print_metrics(session);
	return true;
}

bool command_sort(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	struct metric_context context = session_metrics_for(session, argc ? argv[0] : 0);
	if (argc && !metric_sort_parse(&session->sort, argv[0], &session->metrics, &context, &error))
		return session_error(session, "%s", error.text);
	print_sort(session);
	return true;
}

static bool is_shown(const struct metric_list *list, const struct metric_item *item)
{
	for (unsigned i = 0; i < list->count; i++)
		if (metric_item_same(&list->items[i], item))
			return list->items[i].show != 0;
	return false;
}

/* A row about an item, whose last cell is a "yes" or a "no". */
static const struct cell *add_item(
	struct table *table, const struct metric_item *item, bool yes, const struct metric_context *context)
{
	char title[128], text[128];
	metric_item_title(item, context, title, sizeof title);
	metric_item_text(item, context, text, sizeof text);
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_words(&cells[0], table_text(table, "%s", title));
	cell_words(&cells[1], table_text(table, "%s", text));
	cell_words(&cells[2], yes ? "yes" : "no");
	return cells;
}

static void add_available(struct session *session, struct table *table, const struct metric_item *item,
	const struct metric_context *context)
{
	const struct cell *cells = add_item(table, item, is_shown(&session->metrics, item), context);
	table_line(table, "%40s: %s\n", cells[0].text, cells[1].text);
}

/* All ways in which values of the unit can be shown. */
static unsigned every_show(enum metric_unit unit)
{
	switch (unit) {
	case METRIC_NANOSECONDS:
		return SHOW_TIME | SHOW_PERCENT;
	case METRIC_CYCLES:
		return SHOW_TIME | SHOW_VALUE | SHOW_PERCENT;
	case METRIC_RATIO:
		return SHOW_VALUE;
	default:
		return SHOW_VALUE | SHOW_PERCENT;
	}
}

bool command_metric_list(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading headings[] = {
		{"Metric", COLUMN_TEXT}, {"Keyword", COLUMN_TEXT}, {"Shown", COLUMN_TEXT}};
	(void)argc;
	(void)argv;
	struct metric_context context = session_metrics(session);
	struct table table = {.formed = "Available metrics:\n", .said = true};
	print_metrics(session);
	table_preamble(&table, "Available metrics");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned m = 0; m < context.table->count; m++) {
		const struct metric *row = &context.table->rows[m];
		unsigned ways = balance_is_place(row->balance.statistic) ? SHOW_VALUE : every_show(row->unit);
		for (enum metric_flavour flavour = EXCLUSIVE; flavour <= INCLUSIVE && context.recorded[m]; flavour++)
			add_available(session, &table, &(struct metric_item){ITEM_METRIC, flavour, m, ways}, &context);
		if (data_metric_recorded(session, m))
			add_available(
				session, &table, &(struct metric_item){ITEM_METRIC, DATA_DERIVED, m, ways}, &context);
	}
	for (enum item_type type = ITEM_SIZE; type <= ITEM_NAME; type++)
		add_available(session, &table, &(struct metric_item){type, EXCLUSIVE, 0, SHOW_VALUE}, &context);
	session_print(session, &table);
	return true;
}

bool command_cmetric_list(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading headings[] = {
		{"Metric", COLUMN_TEXT}, {"Keyword", COLUMN_TEXT}, {"Sorted", COLUMN_TEXT}};
	(void)argc;
	(void)argv;
	char text[8192], title[128], sort[128];
	struct metric_list list;
	struct metric_context context = session_metrics(session);
	metric_list_attributed(&list, &session->metrics);
	metric_list_text(&list, &context, text, sizeof text);
	struct metric_item sorted = session->sort.item;
	if (sorted.type == ITEM_METRIC)
		sorted.flavour = ATTRIBUTED;
	metric_item_title(&sorted, &context, title, sizeof title);
	metric_item_text(&sorted, &context, sort, sizeof sort);
	struct table table = {.said = true};
	table.formed = table_text(
		&table, "Current caller-callee metrics: %s\nCurrent Sort Metric: %s ( %s )\n", text, title, sort);
	table_preamble(&table, "Metrics of callers and callees");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned i = 0; i < list.count; i++)
		add_item(&table, &list.items[i], metric_item_same(&list.items[i], &sorted), &context);
	session_print(session, &table);
	return true;
}
