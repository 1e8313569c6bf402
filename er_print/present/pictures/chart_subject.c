/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what charts draw by time. */
#include "chart_subject.h"
#include "flamegraph.h"
#include "mpi_names.h"
#include "picture_value.h"
#include "space_chart.h"
#include "space_names.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Frames of a chart that a browser can still show. */
enum { SVG_FRAMES_MOST = 1000000, PAGE_FRAMES_MOST = 4000000 };

static bool has_colours(struct session *session)
{
	enum picture_palette palette = session->picture.palette;
	if (palette != PALETTE_exclusive && palette != PALETTE_inclusive)
		return true;
	return session_error(session, "%s has no colours by a metric: choose another palette than %s", session->command,
		picture_palette_name(palette));
}

/* The chart has a row of its own. */
static void draw_chart(struct picture_subject *subject, bool page)
{
	time_chart_thin_out(subject->chart, page ? PAGE_FRAMES_MOST : SVG_FRAMES_MOST);
	subject->tree = subject->chart->tree;
	subject->metric = subject->scale = 0;
	subject->metrics = memory_new(1, sizeof *subject->metrics);
	subject->metric_count = 1;
}

bool chart_subject_find(struct session *session, bool page, struct picture_subject *subject)
{
	const struct path_shape shape = {session->picture.joined, session->tree_setting.bottom_up};
	const struct metric_table *table = session_table(session);
	const struct metric *row = &table->rows[subject->metric];
	struct error error = {""};
	if (!has_colours(session))
		return false;
	if (!flamegraph_has_total(session_tree(session), subject->metric, &error))
		return session_error(session, "%s", error.text);
	struct metric_events events =
		metric_events_read(session->data, table, subject->metric, session_filter(session));
	subject->chart = time_chart_create(&events, row, session_tree(session), &shape);
	for (size_t i = 0; i < events.count; i++)
		subject->total += events.all[i].value;
	free(events.all);
	draw_chart(subject, page);
	return true;
}

bool space_subject_find(struct session *session, bool page, struct picture_subject *subject)
{
	if (!has_colours(session))
		return false;
	struct phase_report *report = memory_new(1, sizeof *report);
	if (!phase_report_begin(report, session)) {
		free(report);
		return false;
	}
	subject->spaces = report;
	subject->chart = space_chart_create(
		&report->spaces.appearances, &report->phases, report->spaces.listed, report->spaces.classes.count);
	subject->total = subject->chart->tree->inclusive[0][0];
	draw_chart(subject, page);
	return true;
}

void space_subject_free(struct phase_report *report)
{
	if (report)
		phase_report_end(report);
	free(report);
}

static const char *space_frame_name(const void *context, uint32_t number)
{
	const struct space_naming *naming = context;
	const struct phase_report *report = naming->report;
	const struct space_report *spaces = &report->spaces;
	struct space_frame frame = space_chart_frame(number, report->phases.count, spaces->classes.count);
	if (frame.phase)
		return table_text(naming->texts, "phase %" PRIu32, frame.phase);
	if (!frame.space)
		return number ? SPACE_CHART_OTHERS : SPACE_CHART_TOTAL;
	return table_text(naming->texts, "space %" PRIu32 ": %s", frame.space,
		space_class_name(
			spaces->session, naming->texts, &spaces->model, &spaces->classes.classes[frame.space - 1]));
}

struct picture_naming space_subject_naming(const struct space_naming *naming)
{
	return (struct picture_naming){.name = space_frame_name, .unresolved = true, .context = naming};
}

const char *chart_subject_facts(const struct picture_subject *subject, struct table *texts)
{
	const struct time_chart *chart = subject->chart;
	char covered[PICTURE_VALUE_MAX];
	if (!chart)
		return "";
	const char *text = table_text(texts, ", %u %s, %s", chart->lane_count,
		chart->lane_count == 1 ? "thread" : "threads", chart->timed ? "by time" : "in the order of time");
	if (subject->spaces)
		text = table_text(texts, "%s, %" PRIu32 " %s", text, subject->spaces->phases.count,
			subject->spaces->phases.count == 1 ? "phase" : "phases");
	if (chart->thinned)
		text = table_text(texts, "%s, %s shorter frames left out", text,
			picture_value(covered, METRIC_COUNT, chart->thinned));
	if (!chart->covered)
		return text;
	return table_text(texts, "%s, %s %s within others not drawn", text,
		picture_value(covered, METRIC_COUNT, chart->covered), chart->covered == 1 ? "event" : "events");
}

const char **chart_thread_names(
	struct session *session, const struct thread_key *threads, uint32_t count, struct table *texts)
{
	const char **names = memory_new(count, sizeof *names);
	struct mpi_process_names ranks = mpi_process_names_make(session, texts);
	for (uint32_t i = 0; i < count; i++) {
		const struct thread_key *own = &threads[i];
		const struct experiment *file = session->data->experiments[own->experiment].file;
		const char *program =
			*file->process.command ? process_title(session, texts, &ranks, own->experiment) : file->name;
		names[i] = file->process.pid ? table_text(texts, "%s, process %" PRIu64 ", thread %" PRIu32, program,
						       file->process.pid, own->thread)
					     : table_text(texts, "%s, thread %" PRIu32, program, own->thread);
	}
	free(ranks.text);
	return names;
}

const char **picture_subject_lanes(struct session *session, const struct picture_subject *subject, struct table *texts)
{
	const struct time_chart *chart = subject->chart;
	uint32_t count = chart ? chart->lane_count : 0;
	struct thread_key *threads = memory_new(count, sizeof *threads);
	for (uint32_t i = 0; i < count; i++)
		threads[i] = (struct thread_key){chart->lanes[i].experiment, chart->lanes[i].thread};
	const char **names = chart_thread_names(session, threads, count, texts);
	free(threads);
	return names;
}
