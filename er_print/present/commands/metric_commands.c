/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose the metrics and the order of lists, and list them. */
#include "command_functions.h"

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
	struct metric_context context = session_metrics(session);
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
	struct metric_context context = session_metrics(session);
	if (argc && !metric_sort_parse(&session->sort, argv[0], &session->metrics, &context, &error))
		return session_error(session, "%s", error.text);
	print_sort(session);
	return true;
}

bool command_metric_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct metric_context context = session_metrics(session);
	print_metrics(session);
	fprintf(session_said(session), "Available metrics:\n");
	for (unsigned m = 0; m < context.table->count; m++)
		for (enum metric_flavour flavour = EXCLUSIVE; flavour <= INCLUSIVE && context.recorded[m]; flavour++) {
			enum metric_unit unit = context.table->rows[m].unit;
			struct metric_item item = {ITEM_METRIC, flavour, m,
				unit == METRIC_NANOSECONDS ? SHOW_TIME | SHOW_PERCENT
				: unit == METRIC_CYCLES    ? SHOW_TIME | SHOW_VALUE | SHOW_PERCENT
				: unit == METRIC_RATIO     ? SHOW_VALUE
							   : SHOW_VALUE | SHOW_PERCENT};
			char title[128], text[128];
			metric_item_title(&item, &context, title, sizeof title);
			metric_item_text(&item, &context, text, sizeof text);
			fprintf(session_said(session), "%40s: %s\n", title, text);
		}
	fprintf(session_said(session), "%40s: size\n%40s: address\n%40s: name\n", "Size", "PC Address", "Name");
	return true;
}

bool command_cmetric_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	char text[8192], title[128];
	struct metric_list list;
	struct metric_context context = session_metrics(session);
	metric_list_attributed(&list, &session->metrics);
	metric_list_text(&list, &context, text, sizeof text);
	struct metric_item sorted = session->sort.item;
	if (sorted.type == ITEM_METRIC)
		sorted.flavour = ATTRIBUTED;
	metric_item_title(&sorted, &context, title, sizeof title);
	fprintf(session_said(session), "Current caller-callee metrics: %s\n", text);
	metric_item_text(&sorted, &context, text, sizeof text);
	fprintf(session_said(session), "Current Sort Metric: %s ( %s )\n", title, text);
	return true;
}
