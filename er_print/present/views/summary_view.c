/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary panel of a function: every recorded metric, then what the function is. */
#include "summary_view.h"
#include "base_name.h"
#include "choose_function.h"
#include "command_functions.h"
#include "functions_view.h"
#include "metric_columns.h"
#include "plain_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_label(struct session *session, const char *label, size_t width)
{
	fprintf(session->out, "\t%*s%s:", (int)(width - strlen(label)), "", label);
}

void summary_print_metric(
	struct session *session, const struct metric_item *item, const struct metric_values *values, size_t width)
{
	char title[128], text[CELL_TEXT_MAX];
	struct metric_context context = session_metrics(session);
	const struct metric *row = &context.table->rows[item->metric];
	struct metric_value value = metric_value_of(session_sums(session), values, item);
	metric_item_title(item, &context, title, sizeof title);
	print_label(session, title, width);
	struct cell cell = {.shown = true, .number = value.number, .whole = value.whole};
	enum column_format format = row->unit == METRIC_NANOSECONDS ? COLUMN_TIME : metric_value_format(row->unit);
	if (row->unit == METRIC_CYCLES) {
		struct cell time = {.shown = true, .number = metric_nanoseconds(row, value.number)};
		fprintf(session->out, " %s secs.", cell_text(COLUMN_TIME, &time, false, text));
	}
	fprintf(session->out, " %s", cell_text(format, &cell, false, text));
	if (format == COLUMN_RATIO)
		putc('\n', session->out);
	else
		fprintf(session->out, " (%5.1f%%)\n",
			value.whole ? 100.0 * (double)value.number / (double)value.whole : 0.0);
}

/* Exclusive before inclusive, for each metric that was recorded. */
static size_t each_metric(struct session *session, const struct metric_values *values, size_t width)
{
	struct metric_context context = session_metrics(session);
	size_t longest = strlen("PC Address");
	for (unsigned m = 0; m < context.table->count; m++)
		for (enum metric_flavour flavour = EXCLUSIVE; flavour <= INCLUSIVE && context.recorded[m]; flavour++) {
			struct metric_item item = {ITEM_METRIC, flavour, m, SHOW_VALUE};
			char title[128];
			metric_item_title(&item, &context, title, sizeof title);
			if (strlen(title) > longest)
				longest = strlen(title);
			if (values)
				summary_print_metric(session, &item, values, width);
		}
	return longest;
}

void summary_print_text(struct session *session, const char *label, const char *text, size_t width)
{
	print_label(session, label, width);
	print_between(session->out, *text ? " " : "", text, "\n");
}

void summary_print_object(struct session *session, uint32_t function, size_t width)
{
	const char *object = session->data->objects[resolver_function(session->resolver, function)->object].path;
	summary_print_text(session, "Object File", base_name(object), width);
	summary_print_text(session, "Load Object", object, width);
}

static void print_function(struct session *session, const struct list_view *view, uint32_t index, size_t width)
{
	(void)view;
	struct resolver *resolver = session->resolver;
	const struct function *function = resolver_function(resolver, index);
	print_label(session, "Size", width);
	fprintf(session->out, " %" PRIu64 "\n", function->size);
	print_label(session, "PC Address", width);
	fprintf(session->out, " %" PRIu32 ":0x%08" PRIx64 "\n", function->object + 1, function->start);
	const char *source = resolver_file(resolver, function->file);
	summary_print_text(session, "Source File", *source ? source : "(unknown)", width);
	summary_print_object(session, index, width);
	summary_print_text(session, "Mangled Name",
		strcmp(function->mangled, function->long_name) != 0 ? function->mangled : "", width);
	summary_print_text(session, "Aliases", resolver_function_alias(resolver, index), width);
}

static void print_panel(struct session *session, const char *name, const struct metric_values *values, size_t *width)
{
	fprintf(session->out, "%s\n", name);
	*width = each_metric(session, 0, 0);
	each_metric(session, values, *width);
}

static void print_function_panel(struct session *session, uint32_t index)
{
	const struct key_sums *sums = session_functions(session);
	struct metric_values values = {
		.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = index, .function = index};
	if (index == FUNCTION_TOTAL)
		values = total_values(session);
	struct table names = {0};
	size_t width;
	print_panel(session, session_function_name(session, &names, index), &values, &width);
	table_free(&names);
	print_function(session, 0, index, width);
}

void summary_print_list(struct session *session, const struct list_view *view, summary_identity *identity)
{
	struct table names = {0};
	size_t count, width, limit = session->limit ? session->limit : SIZE_MAX;
	uint32_t *keys = list_view_keys(session, view, &count);
	for (size_t place = 0; place < count + 1 && place < limit; place++) {
		bool is_total = place == (session->sort.reversed ? count : 0);
		uint32_t key = is_total ? 0 : keys[place - !session->sort.reversed];
		struct metric_values values = {.exclusive = view->sums->exclusive,
			.inclusive = view->sums->inclusive,
			.index = key,
			.function = NO_KEY};
		if (is_total)
			values = total_values(session);
		if (place)
			putc('\n', session->out);
		print_panel(session, is_total ? "<Total>" : view->name(session, &names, view->context, key), &values,
			&width);
		if (!is_total)
			identity(session, view, key, width);
	}
	free(keys);
	table_free(&names);
}

bool command_fsingle(struct session *session, unsigned argc, char **argv)
{
	uint32_t index;
	session_want_all(session);
	if (!choose_function(session, argv[0], argc > 1 ? argv[1] : 0, &index))
		return false;
	print_function_panel(session, index);
	return true;
}

bool command_fsummary(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	session_want_all(session);
	struct list_view view = functions_view(session);
	summary_print_list(session, &view, print_function);
	return true;
}
