/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command chrometrace: threads along a time axis in the Trace Event Format that Chrome, Perfetto and speedscope read ("Trace
   Event Format", a document of the Chromium project): recorded calls as complete events, messages of MPI as flows between them, and
   samples as the calls that they were in, on a track of their own for each thread. */
#include "command_functions.h"
#include "commands_title.h"
#include "json_text.h"
#include "profile_export.h"
#include "trace_threads.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_TRACK 1000000u /* added to a thread's number: the track of its samples */
struct chrome {
	struct profile_export *export;
	FILE *file;
	struct trace_threads threads;
	bool any;       /* events so far */
	uint32_t *open; /* functions that the thread is in whose samples are written, from the root */
	uint32_t depth, room;
	uint32_t *path; /* functions of a sample, from the leaf */
};

/* Begins an event, which the caller ends with "}". */
static void begin_event(struct chrome *chrome, char phase, const char *name, uint32_t experiment, uint32_t track)
{
	fprintf(chrome->file, "%s{\"ph\": \"%c\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32, chrome->any ? ",\n" : "\n",
		phase, experiment + 1, track);
	chrome->any = true;
	if (!name)
		return;
	fputs(", \"name\": ", chrome->file);
	print_json_text(chrome->file, name);
}

/* Microseconds. */
static void print_time(struct chrome *chrome, const char *key, uint64_t nanoseconds)
{
	fprintf(chrome->file, ", \"%s\": %" PRIu64 ".%03u", key, nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
}

static void name_track(struct chrome *chrome, const char *what, const char *name, uint32_t experiment, uint32_t track)
{
	begin_event(chrome, 'M', what, experiment, track);
	fputs(", \"args\": {\"name\": ", chrome->file);
	print_json_text(chrome->file, name);
	fputs("}}", chrome->file);
}

static void write_call(struct chrome *chrome, const struct traced_call *call)
{
	FILE *file = chrome->file;
	struct session *session = chrome->export->session;
	const char *object = traced_call_object(session, &chrome->threads.texts, call);
	begin_event(chrome, 'X', traced_call_name(session, call), call->experiment, call->thread);
	fprintf(file, ", \"cat\": \"%s\"", kind_row(call->kind)->name);
	print_time(chrome, "ts", trace_time(&chrome->threads, call->experiment, call->begin));
	print_time(chrome, "dur", call->end - call->begin);
	fputs(", \"args\": {", file);
	if (object) {
		fputs(call->kind == KIND_IO ? "\"file\": " : "\"object\": ", file);
		print_json_text(file, object);
	}
	if (call->kind == KIND_IO)
		fprintf(file, "%s\"bytes\": %" PRIu64, object ? ", " : "", call->bytes);
	if (call->error)
		fprintf(file, ", \"errno\": %" PRIu64, call->error);
	fputs("}}", file);
}

/* Frames of the present thread that are deeper end. */
static void close_frames(struct chrome *chrome, const struct trace_thread *thread, uint32_t depth, uint64_t time)
{
	for (; chrome->depth > depth; chrome->depth--) {
		begin_event(chrome, 'E', 0, thread->experiment, thread->thread + SAMPLES_TRACK);
		print_time(chrome, "ts", trace_time(&chrome->threads, thread->experiment, time));
		putc('}', chrome->file);
	}
}

static void open_frame(struct chrome *chrome, const struct trace_thread *thread, uint32_t function, uint64_t time)
{
	begin_event(chrome, 'B', profile_export_name(chrome->export, function), thread->experiment,
		thread->thread + SAMPLES_TRACK);
	fputs(", \"cat\": \"sample\"", chrome->file);
	print_time(chrome, "ts", trace_time(&chrome->threads, thread->experiment, time));
	putc('}', chrome->file);
	if (chrome->depth == chrome->room)
		chrome->open = memory_resize(chrome->open, chrome->room = chrome->room * 2 + 64, sizeof *chrome->open);
	chrome->open[chrome->depth++] = function;
}

/* From `begin` on the thread is in the stack's functions. */
static void go_to_stack(struct chrome *chrome, const struct trace_thread *thread, uint32_t stack, uint64_t begin)
{
	const struct path_tree *tree = chrome->export->by_pc;
	uint32_t count = 0, common = 0;
	for (uint32_t node = stack < tree->stack_count ? tree->node_of[stack] : 0; node;
		node = tree->nodes[node].parent)
		chrome->path[count++] = tree->nodes[node].frame.function;
	while (common < count && common < chrome->depth && chrome->open[common] == chrome->path[count - 1 - common])
		common++;
	close_frames(chrome, thread, common, begin);
	while (common < count)
		open_frame(chrome, thread, chrome->path[count - 1 - common++], begin);
}

/* A sample stands for the time before it: as much as it counts, if it counts time, and else back to the one before. Samples whose
   times nearly meet are one stretch. */
static void write_samples(struct chrome *chrome, const struct trace_thread *thread)
{
	const struct metric *metric = &chrome->export->by_pc->metrics->rows[chrome->export->chosen];
	uint64_t last = 0;
	for (size_t i = thread->first_event; i < thread->events_end; i++) {
		const struct metric_event *event = &chrome->threads.events.all[i];
		bool first = i == thread->first_event;
		uint64_t value = metric->unit == METRIC_NANOSECONDS ? event->value : first ? 0 : event->time - last;
		uint64_t begin = event->time > value ? event->time - value : 0;
		if (!first && begin <= last + value / 2)
			begin = last;
		else
			close_frames(chrome, thread, 0, last);
		go_to_stack(chrome, thread, event->stack, begin);
		last = event->time;
	}
	close_frames(chrome, thread, 0, last);
}

static void write_thread(struct chrome *chrome, const struct trace_thread *thread)
{
	struct table *texts = &chrome->threads.texts;
	if (thread->first_call < thread->calls_end)
		name_track(chrome, "thread_name", table_text(texts, "Thread %" PRIu32, thread->thread),
			thread->experiment, thread->thread);
	for (size_t i = thread->first_call; i < thread->calls_end; i++)
		write_call(chrome, &chrome->threads.calls.all[i]);
	if (thread->first_event == thread->events_end)
		return;
	name_track(chrome, "thread_name",
		table_text(texts, "Thread %" PRIu32 ", samples of %s", thread->thread,
			chrome->export->by_pc->metrics->rows[chrome->export->chosen].title),
		thread->experiment, thread->thread + SAMPLES_TRACK);
	write_samples(chrome, thread);
}

/* One end of a message's arrow, which must lie within its call. */
static void write_flow(
	struct chrome *chrome, char phase, uint32_t number, const struct mpi_trace_call *call, uint64_t time)
{
	begin_event(chrome, phase, "message", call->experiment, call->thread);
	fprintf(chrome->file, ", \"cat\": \"mpi\", \"id\": %" PRIu32 "%s", number + 1,
		phase == 'f' ? ", \"bp\": \"e\"" : "");
	print_time(chrome, "ts", trace_time(&chrome->threads, call->experiment, time));
}

static void write_messages(struct chrome *chrome)
{
	const struct mpi_trace *trace = chrome->threads.calls.mpi;
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		if (send->partner == NO_MESSAGE)
			continue;
		const struct mpi_trace_call *from = &trace->calls[send->start];
		const struct mpi_trace_call *to = &trace->calls[trace->receives[send->partner].completion];
		if (!from->kept || !to->kept)
			continue;
		write_flow(chrome, 's', i, from, from->begin);
		fprintf(chrome->file, ", \"args\": {\"bytes\": %" PRIu64 ", \"tag\": %" PRIu32 "}}", send->bytes,
			send->tag);
		write_flow(chrome, 'f', i, to, to->end > to->begin ? to->end - 1 : to->end);
		putc('}', chrome->file);
	}
}

static bool is_sampled(const struct metric *row)
{
	return row->kind == KIND_CLOCK || row->kind == KIND_OVERFLOW;
}

/* The metric that lists are sorted by if it is sampled, or else the first shown one that is. */
static unsigned sampled_metric(const struct profile_export *export)
{
	if (is_sampled(profile_export_metric(export, export->chosen)))
		return export->chosen;
	for (unsigned i = 0; i < export->metric_count; i++)
		if (is_sampled(profile_export_metric(export, export->metrics[i])))
			return export->metrics[i];
	return NO_METRIC;
}

static void write_events(struct chrome *chrome)
{
	struct trace_thread thread = {0};
	uint32_t named = UINT32_MAX;
	while (trace_threads_next(&chrome->threads, &thread)) {
		if (thread.experiment != named)
			name_track(chrome, "process_name", trace_process_name(&chrome->threads, thread.experiment),
				thread.experiment, 0);
		named = thread.experiment;
		write_thread(chrome, &thread);
	}
	write_messages(chrome);
}

static bool write_chrometrace(struct profile_export *export, FILE *file)
{
	struct session *session = export->session;
	unsigned metric = sampled_metric(export);
	struct chrome chrome = {.export = export,
		.file = file,
		.threads = trace_threads_make(session, export->by_pc->metrics, metric),
		.path = memory_new(export->by_pc->depth + 1, sizeof *chrome.path)};
	export->chosen = metric == NO_METRIC ? export->chosen : metric;
	fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"creator\": \"er_print " ER_TOOLS_VERSION
	      "\", \"title\": ",
		file);
	print_json_text(file, commands_title(session, &export->texts));
	fputs("},\n\"traceEvents\": [", file);
	write_events(&chrome);
	fputs("]}\n", file);
	trace_threads_free(&chrome.threads);
	free(chrome.open);
	free(chrome.path);
	return true;
}

bool command_chrometrace(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "chrometrace needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], false, write_chrometrace);
}
