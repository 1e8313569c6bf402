/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations, and those that were never released, stack by stack, the most bytes first. */
#include "heap_view.h"
#include "command_functions.h"
#include "path_list.h"
#include "search.h"
#include "stack_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool heap_was_recorded(struct session *session)
{
	const struct metric_table *metrics = metrics_builtin();
	bool recorded = session_metrics(session).recorded[metric_find(metrics, "heapalloccnt")];
	return recorded ||
	       session_error(session, "Heap trace information was not requested when recording experiments");
}

/* When the first process of the data met the size limit, ns since its founder's start; UINT64_MAX: none did. */
static uint64_t limit_time(const struct data *data)
{
	uint64_t first = UINT64_MAX;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct loaded_experiment *own = &data->experiments[e];
		for (size_t i = 0; i < own->file->event_count; i++) {
			const struct log_event *event = &own->file->events[i];
			const char *reasons = log_event_attribute(event, "name");
			uint64_t time = own->start_offset + event->time;
			if (strcmp(event->kind, "pause") == 0 && reasons && strstr(reasons, "size") && time < first)
				first = time;
		}
	}
	return first;
}

const char *heap_limit_text(struct session *session, struct table *table)
{
	uint64_t time = limit_time(session->data);
	return time == UINT64_MAX
		       ? ""
		       : table_text(table,
				 "The size limit (-L) was reached after %.3f secs.: allocations and leaks are "
				 "those before it\n",
				 (double)time / 1e9);
}

/* Sums by stack. */
struct heap_sums {
	const uint64_t *count, *bytes;
	uint64_t total_count, total_bytes;
};

static struct heap_sums sums_of(struct session *session, const char *count, const char *bytes)
{
	const struct stack_sums *sums = session_sums(session);
	int counted = metric_find(sums->metrics, count), sized = metric_find(sums->metrics, bytes);
	return (struct heap_sums){sums->of[counted], sums->of[sized], sums->total[counted], sums->total[sized]};
}

struct ranked {
	uint32_t stack;
	uint64_t bytes, count, second;
};

static int compare(uint64_t a, uint64_t b)
{
	return COMPARE(b, a);
}

static int by_size(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int order = compare(x->bytes, y->bytes);
	order = order ? order : compare(x->second, y->second);
	order = order ? order : compare(x->count, y->count);
	return order ? order : -compare(x->stack, y->stack);
}

/* The stacks that have something, in order; `second` may be 0. The caller frees them. */
static struct ranked *rank(
	struct session *session, const struct heap_sums *sums, const struct heap_sums *second, uint32_t *count)
{
	struct ranked *rows = 0;
	*count = 0;
	for (uint32_t s = 0; s < session->data->stack_count; s++) {
		if (!sums->count[s] && !(second && second->count[s]))
			continue;
		rows = memory_room(rows, *count, sizeof *rows);
		rows[(*count)++] = (struct ranked){s, sums->bytes[s], sums->count[s], second ? second->bytes[s] : 0};
	}
	if (*count)
		qsort(rows, *count, sizeof *rows, by_size);
	return rows;
}

static bool shown(const struct session *session, uint32_t row)
{
	return !session->limit || row < session->limit;
}

static bool show(struct session *session, const char *one, const char *many, const char *bytes, struct heap_sums sums)
{
	struct table table = {0};
	uint32_t count;
	struct ranked *rows = rank(session, &sums, 0, &count);
	const char *limit = heap_limit_text(session, &table);
	table_preamble(&table, table_text(&table,
				       "Summary Results: Distinct %s = %" PRIu32 ", Total Instances = %" PRIu64
				       ", Total %s = %" PRIu64,
				       many, count, sums.total_count, bytes, sums.total_bytes));
	table.formed = table_text(&table, "%s\n%s", table.preamble[0], limit);
	table_headed(&table, "Instances", COLUMN_COUNT);
	table_headed(&table, bytes, COLUMN_COUNT);
	table_headed(&table, "Stack", COLUMN_TEXT);
	for (uint32_t i = 0; i < count && shown(session, i); i++) {
		const char *folded = stack_folded(session, &table, rows[i].stack);
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_number(&cells[0], rows[i].count);
		cell_number(&cells[1], rows[i].bytes);
		cell_words(&cells[2], folded);
		table_line(&table, "\n%s #%" PRIu32 ", Instances = %" PRIu64 ", %s = %" PRIu64 "\n%s", one, i + 1,
			rows[i].count, bytes, rows[i].bytes, stack_lines(session, &table, rows[i].stack));
	}
	free(rows);
	session_print(session, &table);
	return true;
}

/* While groups are compared: paths with the metrics of these names, by the one of index `sorted`. */
static bool show_compared(
	struct session *session, const char *title, const char *const *names, unsigned count, unsigned sorted)
{
	struct metric_list metrics = {.count = 0};
	for (unsigned i = 0; i < count; i++)
		path_list_metric(session, &metrics, (unsigned)metric_find(session_table(session), names[i]));
	path_list_print(session, title, &metrics, &metrics.items[sorted]);
	return true;
}

bool command_leaks(struct session *session, unsigned argc, char **argv)
{
	static const char *const names[] = {"heapleakcnt", "heapleakbytes"};
	(void)argc;
	(void)argv;
	if (!heap_was_recorded(session))
		return false;
	if (session_groups(session) > 1)
		return show_compared(session, "Leaks", names, 2, 1);
	return show(session, "Leak", "Leaks", "Bytes Leaked", sums_of(session, "heapleakcnt", "heapleakbytes"));
}

bool command_allocs(struct session *session, unsigned argc, char **argv)
{
	static const char *const names[] = {"heapalloccnt", "heapallocbytes"};
	(void)argc;
	(void)argv;
	if (!heap_was_recorded(session))
		return false;
	if (session_groups(session) > 1)
		return show_compared(session, "Allocations", names, 2, 1);
	return show(session, "Allocation", "Allocations", "Bytes Allocated",
		sums_of(session, "heapalloccnt", "heapallocbytes"));
}

/* Allocations and leaks of a stack, or of all. */
struct both {
	uint64_t allocations, allocated, leaks, leaked;
};

static void add_both(
	struct table *table, const struct both *sums, const char *before, const char *name, const char *stack)
{
	const uint64_t numbers[] = {sums->allocations, sums->allocated, sums->leaks, sums->leaked};
	const char *allocated = "", *leaked = "";
	if (sums->allocations)
		allocated = table_text(table, "Instances = %" PRIu64 "  Bytes Allocated = %" PRIu64 "\n",
			sums->allocations, sums->allocated);
	if (sums->leaks)
		leaked = table_text(
			table, "Instances = %" PRIu64 "  Bytes Leaked = %" PRIu64 "\n", sums->leaks, sums->leaked);
	struct cell *cells = table_row(table, ROW_PLAIN);
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
		cell_number(&cells[i], numbers[i]);
	cell_words(&cells[sizeof numbers / sizeof *numbers], name);
	table_line(table, "%s%s%s%s", before, allocated, leaked, stack);
}

bool command_heap(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading headings[] = {{"Allocations", COLUMN_COUNT},
		{"Bytes Allocated", COLUMN_COUNT}, {"Leaks", COLUMN_COUNT}, {"Bytes Leaked", COLUMN_COUNT},
		{"Stack", COLUMN_TEXT}};
	static const char *const names[] = {"heapalloccnt", "heapallocbytes", "heapleakcnt", "heapleakbytes"};
	(void)argc;
	(void)argv;
	if (!heap_was_recorded(session))
		return false;
	if (session_groups(session) > 1)
		return show_compared(session, "Allocations and leaks", names, 4, 3);
	struct table table = {0};
	struct heap_sums allocations = sums_of(session, "heapalloccnt", "heapallocbytes");
	struct heap_sums leaks = sums_of(session, "heapleakcnt", "heapleakbytes");
	uint32_t count;
	struct ranked *rows = rank(session, &leaks, &allocations, &count);
	table.formed = heap_limit_text(session, &table);
	table_preamble(&table, "Allocations and leaks by stack");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	add_both(&table,
		&(struct both){allocations.total_count, allocations.total_bytes, leaks.total_count, leaks.total_bytes},
		"<Total>\n", "<Total>", "");
	for (uint32_t i = 0; i < count && shown(session, i); i++) {
		uint32_t stack = rows[i].stack;
		const struct both sums = {
			allocations.count[stack], allocations.bytes[stack], leaks.count[stack], leaks.bytes[stack]};
		add_both(&table, &sums, table_text(&table, "\nStack 0x%" PRIx32 "\n", stack),
			stack_folded(session, &table, stack), stack_lines(session, &table, stack));
	}
	free(rows);
	session_print(session, &table);
	return true;
}
