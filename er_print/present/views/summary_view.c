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

static void print_label(struct facts *facts, const char *label, size_t width)
{
	fprintf(facts->text, "\t%*s%s:", (int)(width - strlen(label)), "", label);
}

void summary_add_metric(struct session *session, struct facts *facts, const struct metric_item *item,
	const struct metric_values *values, size_t width)
{
	char title[128], text[CELL_TEXT_MAX];
	struct metric_context context = session_metrics(session);
	const struct metric *row = &context.table->rows[item->metric];
	struct metric_value value = metric_value_of(session_sums(session), values, item);
	metric_item_title(item, &context, title, sizeof title);
	print_label(facts, title, width);
	if (balance_is_place(row->balance.statistic)) {
		const char *member = session_balance_member(session, item->metric, value.number);
		fprintf(facts->text, " %s\n", member);
		fact_text(facts, title, member);
		return;
	}
	struct cell cell = {.shown = true, .number = value.number, .whole = value.whole};
	enum column_format format = row->unit == METRIC_NANOSECONDS ? COLUMN_TIME : metric_value_format(row->unit);
	if (row->unit == METRIC_CYCLES) {
		struct cell time = {.shown = true, .number = metric_nanoseconds(row, value.number)};
		fprintf(facts->text, " %s secs.", cell_text(COLUMN_TIME, &time, false, text));
	}
	cell_text(format, &cell, false, text);
	fprintf(facts->text, " %s", text);
	if (format == COLUMN_RATIO)
		putc('\n', facts->text);
	else
		fprintf(facts->text, " (%5.1f%%)\n",
			value.whole ? 100.0 * (double)value.number / (double)value.whole : 0.0);
	if (format == COLUMN_TIME)
		fact_seconds(facts, title, value.number);
	else if (format == COLUMN_COUNT)
		fact_number(facts, title, value.number);
	else
		fact_text(facts, title, text);
}

/* Exclusive before inclusive, for each metric that was recorded. Without values, only the width of the titles is found. */
static size_t each_metric(
	struct session *session, struct facts *facts, const struct metric_values *values, size_t width)
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
				summary_add_metric(session, facts, &item, values, width);
		}
	return longest;
}

void summary_add_text(struct facts *facts, const char *label, const char *text, size_t width)
{
	print_label(facts, label, width);
	print_between(facts->text, *text ? " " : "", text, "\n");
	fact_text(facts, label, text);
}

void summary_add_object(struct session *session, struct facts *facts, uint32_t function, size_t width)
{
	const char *object = session->data->objects[resolver_function(session->resolver, function)->object].path;
	summary_add_text(facts, "Object File", base_name(object), width);
	summary_add_text(facts, "Load Object", object, width);
}

static void add_function(
	struct session *session, struct facts *facts, const struct list_view *view, uint32_t index, size_t width)
{
	(void)view;
	char address[64];
	struct resolver *resolver = session->resolver;
	const struct function *function = resolver_function(resolver, index);
	print_label(facts, "Size", width);
	fprintf(facts->text, " %" PRIu64 "\n", function->size);
	fact_number(facts, "Size", function->size);
	snprintf(address, sizeof address, "%" PRIu32 ":0x%08" PRIx64, function->object + 1, function->start);
	summary_add_text(facts, "PC Address", address, width);
	const char *source = resolver_file(resolver, function->file);
	summary_add_text(facts, "Source File", *source ? source : "(unknown)", width);
	summary_add_object(session, facts, index, width);
	summary_add_text(facts, "Mangled Name",
		strcmp(function->mangled, function->long_name) != 0 ? function->mangled : "", width);
	summary_add_text(facts, "Aliases", resolver_function_alias(resolver, index), width);
}

static size_t add_panel(
	struct session *session, struct facts *facts, const char *name, const struct metric_values *values)
{
	fprintf(facts->text, "%s\n", name);
	facts_subject(facts, "%s", name);
	size_t width = each_metric(session, facts, 0, 0);
	each_metric(session, facts, values, width);
	return width;
}

static void print_function_panel(struct session *session, uint32_t index)
{
	struct facts facts;
	const struct key_sums *sums = session_functions(session);
	struct metric_values values = {
		.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = index, .function = index};
	if (index == FUNCTION_TOTAL)
		values = total_values(session);
	facts_begin(&facts, "Summary of a function");
	const char *name = session_function_name(session, &facts.table, index);
	add_function(session, &facts, 0, index, add_panel(session, &facts, name, &values));
	struct table table = facts_end(&facts);
	session_print(session, &table);
}

void summary_print_list(struct session *session, const struct list_view *view, summary_identity *identity)
{
	struct facts facts;
	size_t count, limit = session->limit ? session->limit : SIZE_MAX;
	uint32_t *keys = list_view_keys(session, view, &count);
	facts_begin(&facts, view->title);
	facts.table.limited = true;
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
			putc('\n', facts.text);
		const char *name = is_total ? "<Total>" : view->name(session, &facts.table, view->context, key);
		size_t width = add_panel(session, &facts, name, &values);
		if (!is_total)
			identity(session, &facts, view, key, width);
	}
	free(keys);
	struct table table = facts_end(&facts);
	session_print(session, &table);
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
	summary_print_list(session, &view, add_function);
	return true;
}
