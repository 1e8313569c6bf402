/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overview: each founder experiment, and every metric with its total. */
#include "command_functions.h"
#include "facts.h"
#include "list_view.h"
#include "metric_columns.h"
#include "plain_text.h"
#include "session.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static double seconds(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1e9;
}

/* The moment of the last event of an experiment or of its descendants, ns since its start. */
static uint64_t duration_of(const struct data *data, uint32_t founder)
{
	uint64_t longest = 0;
	for (uint32_t i = 0; i < data->experiment_count; i++) {
		const struct experiment *file = data->experiments[i].file;
		if (data->experiments[i].founder != founder || file->end.monotonic < file->start.monotonic)
			continue;
		uint64_t end = data->experiments[i].start_offset + (file->end.monotonic - file->start.monotonic);
		longest = end > longest ? end : longest;
	}
	return longest;
}

/* SUBJECT: 0: its path is. */
static void add_experiment(struct facts *facts, const struct data *data, uint32_t index, const char *subject)
{
	const struct experiment *experiment = data->experiments[index].file;
	const struct system_info *system = experiment->system;
	time_t start = (time_t)(experiment->start.realtime / 1000000000u);
	struct tm local;
	char text[64] = "";
	if (localtime_r(&start, &local))
		strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
	uint32_t processes = 0;
	for (uint32_t i = 0; i < data->experiment_count; i++)
		processes += data->experiments[i].founder == index && data->experiments[i].file->process.pid;
	fprintf(facts->text, "Experiment      :%s\n", table_plain(&facts->table, experiment->path));
	facts_subject(facts, "%s", subject ? subject : experiment->path);
	const char *imported = data->experiments[index].imported.what;
	if (imported) {
		fprintf(facts->text, "  %s, imported\n\n", imported);
		fact_text(facts, "Target", table_text(&facts->table, "%s, imported", imported));
		return;
	}
	const char *command = data_command(data, index);
	const char *host = table_text(
		&facts->table, "%s (%s, %s %s)", system->host, system->architecture, system->os, system->release);
	uint64_t duration = duration_of(data, index);
	print_between(facts->text, "  Target        : '", command, "'\n");
	fact_text(facts, "Target", command ? command : "");
	print_between(facts->text, "  Host          : ", host, "\n");
	fact_text(facts, "Host", host);
	fprintf(facts->text, "  Start Time    : %s\n", text);
	fact_text(facts, "Start Time", text);
	fprintf(facts->text, "  Duration      : %.3f Seconds\n", seconds(duration));
	fact_seconds(facts, "Duration", duration);
	if (processes > 1) {
		fprintf(facts->text, "  Processes     : %" PRIu32 "\n", processes);
		fact_number(facts, "Processes", processes);
	}
	putc('\n', facts->text);
}

static bool is_shown(const struct session *session, unsigned metric)
{
	for (unsigned i = 0; i < session->metrics.count; i++)
		if (session->metrics.items[i].type == ITEM_METRIC && session->metrics.items[i].metric == metric &&
			session->metrics.items[i].show)
			return true;
	return false;
}

/* Hot: at least a tenth of the run's duration, where that can be said. */
static void add_metric(struct session *session, struct facts *facts, unsigned metric, uint64_t duration)
{
	static const char *const units[] = {[METRIC_COUNT] = "",
		[METRIC_NANOSECONDS] = " (Seconds)",
		[METRIC_BYTES] = "",
		[METRIC_RATIO] = "",
		[METRIC_DECIMAL] = "",
		[METRIC_CYCLES] = " (Seconds)"};
	const struct stack_sums *sums = session_sums(session);
	const struct metric *row = &sums->metrics->rows[metric];
	struct metric_values total = total_values(session);
	struct metric_item item = {ITEM_METRIC, INCLUSIVE, metric, SHOW_VALUE};
	struct metric_value value = metric_value_of(sums, &total, &item);
	char text[CELL_TEXT_MAX];
	if (row->unit == METRIC_CYCLES)
		value.number = metric_nanoseconds(row, value.number);
	bool time = row->unit == METRIC_NANOSECONDS || row->unit == METRIC_CYCLES,
	     hot = time && value.number && value.number >= duration / 10;
	struct cell cell = {.shown = true, .number = value.number, .whole = value.whole};
	cell_text(time ? COLUMN_TIME : metric_value_format(row->unit), &cell, false, text);
	fprintf(facts->text, "    [%s]%s - %s%s: [%s%s]\n", is_shown(session, metric) ? "X" : " ", row->title,
		row->name, units[row->unit], hot ? "*" : "", text);
	if (time)
		fact_seconds(facts, row->name, value.number);
	else if (row->unit == METRIC_RATIO || row->unit == METRIC_DECIMAL)
		fact_text(facts, row->name, text);
	else
		fact_number(facts, row->name, value.number);
}

static void add_metrics(struct session *session, struct facts *facts, uint64_t duration)
{
	const struct stack_sums *sums = session_sums(session);
	facts_subject(facts, "Metrics");
	fprintf(facts->text, "Metrics:\n\n  Experiment Duration (Seconds): [%.3f]\n", seconds(duration));
	fact_seconds(facts, "Experiment Duration", duration);
	for (enum kind kind = 0; kind <= KIND_COUNT; kind++) {
		bool titled = false;
		for (unsigned m = 0; m < sums->metrics->count; m++) {
			if (!sums->recorded[m] || sums->metrics->rows[m].kind != kind)
				continue;
			if (!titled)
				fprintf(facts->text, "  %s\n", kind < KIND_COUNT ? kind_row(kind)->title : "Derived");
			titled = true;
			add_metric(session, facts, m, duration);
		}
	}
	fprintf(facts->text, "\nNotes: '*' indicates hot metrics, '[X]' indicates currently enabled metrics.\n");
}

bool command_overview(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	const struct data *data = session->data;
	uint64_t duration = 0;
	session_want_all(session);
	struct facts facts;
	facts_begin(&facts, "Overview");
	fprintf(facts.text, "Experiment(s):\n\n");
	for (uint32_t i = 0; i < data->experiment_count; i++) {
		if (data->experiments[i].founder != i || !session_shows_experiment(session, i))
			continue;
		/* Experiments of groups that stand side by side are compared whatever their names. */
		add_experiment(&facts, data, i, session->only_group ? "Experiment" : 0);
		uint64_t own = duration_of(data, i);
		duration = own > duration ? own : duration;
	}
	add_metrics(session, &facts, duration);
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
