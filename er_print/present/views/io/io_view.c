/* SPDX-License-Identifier: GPL-3.0-or-later */
/* I/O metrics by file, by opening and by call stack. */
#include "io_view.h"
#include "command_functions.h"
#include "index_sums.h"
#include "list_view.h"
#include "number_map.h"
#include "path_list.h"
#include "plain_text.h"
#include "search.h"
#include "stack_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool io_was_recorded(struct session *session)
{
	return session_metrics(session).recorded[metric_find(metrics_builtin(), "ioreadcnt")] ||
	       session_error(session, "I/O trace information was not requested when recording experiments");
}

static const char *file_name(const struct session *session, uint32_t file)
{
	const char *name = data_io_file(session->data, file);
	return name ? name : "<no file>";
}

/* The file of an opening: found by a pass over all I/O events. */
struct openings {
	struct number_map places; /* (experiment, opening) -> place */
	struct opening {
		uint32_t file;
		int64_t descriptor;
	} * openings;
	uint32_t count;
};

static void note_openings(void *context, const struct data_batch *batch)
{
	struct openings *all = context;
	const struct loaded_experiment *experiment = batch->experiment;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t opening = batch->field[FIELD_INDEX(IO, opening)][i];
		uint32_t *place = number_map_place(&all->places, number_pair(experiment->number, (uint32_t)opening));
		if (*place != NO_NUMBER)
			continue;
		*place = all->count;
		all->openings = memory_room(all->openings, all->count, sizeof *all->openings);
		all->openings[all->count++] =
			(struct opening){io_files_name(&experiment->io_files, batch->field[FIELD_INDEX(IO, file)][i]),
				(int64_t)batch->field[FIELD_INDEX(IO, descriptor)][i]};
	}
}

struct io_list {
	const struct index_sums *sums;
	const struct openings *openings; /* 0: rows are files */
};

static const char *row_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	const struct io_list *list = context;
	int64_t value = list->sums->values[key];
	if (value < 0)
		return 0; /* no event of I/O */
	if (!list->openings)
		return file_name(session, (uint32_t)value);
	uint32_t place = number_map_find(&list->openings->places, (uint64_t)value);
	if (place == UINT32_MAX || !(uint32_t)value)
		return "<no file>";
	const struct opening *opening = &list->openings->openings[place];
	return table_text(table, "%s (IOVFD=%" PRIu32 ", FD=%" PRId64 ")", file_name(session, opening->file),
		(uint32_t)value, opening->descriptor);
}

static bool is_for(struct session *session, unsigned metric)
{
	bool read_by_people = session->print_mode == PRINT_TEXT || session->print_mode == PRINT_HTML;
	for (unsigned g = 0; read_by_people && g < session_groups(session); g++)
		if (session_sums(session)->total[session_group_metric(session, metric, g)])
			return true;
	return !read_by_people;
}

/* All metrics of I/O, exclusive: nothing calls a file; for people those that are not 0. Sorted as the session is, if by one of
   them, and else by the time of all calls. */
static void choose_metrics(struct session *session, struct metric_list *list, struct metric_item *sorted)
{
	const struct metric_table *metrics = session_table(session);
	*list = (struct metric_list){.count = 0};
	for (unsigned m = 0; m < metrics->count && list->count + 1 < METRIC_ITEMS_MAX; m++)
		if (metrics->rows[m].kind == KIND_IO && is_for(session, m))
			list->items[list->count++] = (struct metric_item){.type = ITEM_METRIC,
				.flavour = EXCLUSIVE,
				.metric = m,
				.show = metrics->rows[m].unit == METRIC_NANOSECONDS ? SHOW_TIME : SHOW_VALUE};
	*sorted = (struct metric_item){ITEM_METRIC, EXCLUSIVE, (unsigned)metric_find(metrics, "iotime"), SHOW_TIME};
	for (unsigned i = 0; i < list->count; i++)
		if (session->sort.item.type == ITEM_METRIC && session->sort.item.metric == list->items[i].metric)
			*sorted = list->items[i];
	list->items[list->count++] = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
}

static bool show(struct session *session, const char *title, const char *text, const struct openings *openings)
{
	struct error error;
	struct expression *expression = expression_parse(text, 0, 0, &error);
	if (!expression)
		return session_error(session, "%s", error.text);
	session_prepare(session, expression);
	struct index_sums *sums = index_sums_compute(session->data, session_sum_table(session), session_filter(session),
		session_wanted(session), expression);
	struct metric_list list;
	struct metric_item sorted;
	choose_metrics(session, &list, &sorted);
	list_view_print(session, &(struct list_view){.title = title,
					 .sums = &sums->sums,
					 .context = &(struct io_list){sums, openings},
					 .name = row_name,
					 .metrics = &list,
					 .sorted = &sorted,
					 .fit_times = true});
	index_sums_free(sums);
	expression_free(expression);
	return true;
}

bool command_ioactivity(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return io_was_recorded(session) && show(session, "Files", "HAS_PROP(IOVFD) ? IOFILE : -1", 0);
}

bool command_iodetail(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!io_was_recorded(session))
		return false;
	struct openings openings = {.count = 0};
	data_visit(session->data, KIND_IO, note_openings, &openings);
	bool good = show(session, "Openings", "HAS_PROP(IOVFD) ? EXPID<<32 | IOVFD : -1", &openings);
	number_map_free(&openings.places);
	free(openings.openings);
	return good;
}

struct ranked {
	uint32_t stack;
	uint64_t time;
};

static int by_time(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return COMPARE(y->time, x->time) ?: COMPARE(x->stack, y->stack);
}

static bool is_shown(const struct stack_sums *sums, unsigned metric)
{
	return sums->metrics->rows[metric].kind == KIND_IO && sums->of[metric];
}

/* One line for reads, one for writes, ... which have a count: "Read Time=0.000084 (secs.)  Read Bytes=9890  Read Count=1000". */
static const char *sums_lines(const struct stack_sums *sums, struct table *table, uint32_t stack)
{
	char line[512] = "";
	size_t used = 0;
	const char *lines = "";
	for (unsigned m = 0; m < sums->metrics->count; m++) {
		const struct metric *row = &sums->metrics->rows[m];
		if (!is_shown(sums, m))
			continue;
		uint64_t value = sums->of[m][stack];
		if (row->unit == METRIC_NANOSECONDS)
			used = (size_t)snprintf(line, sizeof line, "%s=%.6f (secs.)", row->title, (double)value / 1e9);
		else
			used += (size_t)snprintf(line + used, sizeof line - used, "  %s=%" PRIu64, row->title, value);
		/* A group of metrics ends with its count. */
		if (row->unit == METRIC_COUNT && value)
			lines = table_text(table, "%s%s\n", lines, line);
	}
	return lines;
}

static void add_columns(const struct stack_sums *sums, struct table *table)
{
	for (unsigned m = 0; m < sums->metrics->count; m++) {
		const struct metric *row = &sums->metrics->rows[m];
		if (is_shown(sums, m))
			table_headed(table, row->title, row->unit == METRIC_NANOSECONDS ? COLUMN_TIME : COLUMN_COUNT);
	}
	table_headed(table, "Stack", COLUMN_TEXT);
}

static void add_stack(struct session *session, struct table *table, uint32_t stack)
{
	const struct stack_sums *sums = session_sums(session);
	const char *folded = stack_folded(session, table, stack);
	const char *before = table->row_count ? "\n" : "";
	struct cell *cell = table_row(table, ROW_PLAIN);
	for (unsigned m = 0; m < sums->metrics->count; m++)
		if (is_shown(sums, m))
			cell_number(cell++, sums->of[m][stack]);
	cell_words(cell, folded);
	table_line(table, "%sStack 0x%08" PRIX32 "\n%s%s", before, stack, sums_lines(sums, table, stack),
		stack_lines(session, table, stack));
}

static bool show_compared_paths(struct session *session)
{
	struct metric_list metrics;
	struct metric_item sorted;
	choose_metrics(session, &metrics, &sorted);
	metrics.count--; /* the name: the list has its own */
	path_list_print(session, "I/O calls", &metrics, &sorted);
	return true;
}

bool command_iocallstack(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!io_was_recorded(session))
		return false;
	if (session_groups(session) > 1)
		return show_compared_paths(session);
	const struct stack_sums *sums = session_sums(session);
	const struct metric_table *metrics = session_table(session);
	struct ranked *rows = 0;
	uint32_t count = 0;
	for (uint32_t s = 0; s < session->data->stack_count; s++) {
		uint64_t time = 0;
		bool any = false;
		for (unsigned m = 0; m < metrics->count; m++)
			if (metrics->rows[m].kind == KIND_IO && sums->of[m]) {
				any |= sums->of[m][s] != 0;
				time += metrics->rows[m].unit == METRIC_NANOSECONDS ? sums->of[m][s] : 0;
			}
		if (!any)
			continue;
		rows = memory_room(rows, count, sizeof *rows);
		rows[count++] = (struct ranked){s, time};
	}
	struct table table = {.formed = count ? "" : "No I/O calls\n"};
	table_preamble(&table, "I/O calls by stack");
	add_columns(sums, &table);
	if (count)
		qsort(rows, count, sizeof *rows, by_time);
	for (uint32_t i = 0; i < count && (!session->limit || i < session->limit); i++)
		add_stack(session, &table, rows[i].stack);
	free(rows);
	session_print(session, &table);
	return true;
}
