/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command firefox: the samples of one metric in the order of time, and the calls that were recorded as markers, for the Firefox
   Profiler: its "processed" format, of which all later versions of it read this one. */
#include "command_functions.h"
#include "commands_title.h"
#include "firefox_tables.h"
#include "json_text.h"
#include "trace_threads.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FORMAT_VERSION = 61 };
struct firefox {
	struct profile_export *export;
	FILE *file;
	struct firefox_tables tables;
	struct trace_threads threads;
};

static void print_ms(FILE *file, uint64_t nanoseconds)
{
	fprintf(file, "%" PRIu64 ".%06u", nanoseconds / 1000000, (unsigned)(nanoseconds % 1000000));
}

/* A marker's fields, as `calls` have them: what is shown of each kind. */
static void print_marker_schemas(FILE *file)
{
	static const struct {
		const char *type, *label, *fields;
	} schemas[] = {{"io", "I/O",
			       "{\"key\": \"name\", \"label\": \"Call\", \"format\": \"string\"}, "
			       "{\"key\": \"object\", \"label\": \"File\", \"format\": \"string\"}, "
			       "{\"key\": \"bytes\", \"label\": \"Bytes\", \"format\": \"bytes\"}, "
			       "{\"key\": \"error\", \"label\": \"errno\", \"format\": \"integer\"}"},
		{"sync", "Wait",
			"{\"key\": \"name\", \"label\": \"Kind\", \"format\": \"string\"}, "
			"{\"key\": \"object\", \"label\": \"Object\", \"format\": \"string\"}, "
			"{\"key\": \"error\", \"label\": \"errno\", \"format\": \"integer\"}"},
		{"mpi", "MPI", "{\"key\": \"name\", \"label\": \"Call\", \"format\": \"string\"}"}};
	for (unsigned i = 0; i < sizeof schemas / sizeof *schemas; i++)
		fprintf(file,
			"%s\n  {\"name\": \"%s\", \"display\": [\"marker-chart\", \"marker-table\", "
			"\"timeline-overview\"], "
			"\"chartLabel\": \"{marker.data.name}\", \"tableLabel\": \"{marker.data.name} "
			"{marker.data.object}\", "
			"\"tooltipLabel\": \"%s: {marker.data.name}\", \"fields\": [%s]}",
			i ? "," : "", schemas[i].type, schemas[i].label, schemas[i].fields);
}

static void print_meta(struct firefox *firefox)
{
	const struct session *session = firefox->export->session;
	const struct experiment *first = session->data->experiments[0].file;
	FILE *file = firefox->file;
	uint64_t interval = first->settings->clock_interval ? first->settings->clock_interval : 1000000;
	fprintf(file,
		"{\"meta\": {\"preprocessedProfileVersion\": %d, \"version\": 24, \"processType\": 0, \"stackwalk\": "
		"1, ",
		FORMAT_VERSION);
	fputs("\"product\": ", file);
	print_json_text(file, commands_title(session, &firefox->export->texts));
	fputs(", \"importedFrom\": \"er_print " ER_TOOLS_VERSION "\", \"interval\": ", file);
	print_ms(file, interval);
	fputs(", \"startTime\": ", file);
	print_ms(file, firefox->threads.times.start);
	fputs(", \"oscpu\": ", file);
	print_json_text(
		file, table_text(&firefox->export->texts, "%s %s", first->system->os, first->system->architecture));
	fprintf(file, ", \"logicalCPUs\": %" PRIu64, first->system->cpus);
	fputs(", \"symbolicated\": true, \"usesOnlyOneStackType\": true, \"sourceCodeIsNotOnSearchfox\": true,\n",
		file);
	fputs("\"sampleUnits\": {\"time\": \"ms\", \"eventDelay\": \"ms\", \"threadCPUDelta\": "
	      "\"ns\"},\n\"categories\": [",
		file);
	firefox_categories_print(file);
	fputs("],\n\"markerSchema\": [", file);
	print_marker_schemas(file);
	fputs("]},\n", file);
}

/* The stack of the profile that a stack of the data is; NO_NUMBER: none that the shown metrics have. */
static uint32_t stack_of(const struct firefox *firefox, uint32_t stack)
{
	const struct path_tree *tree = firefox->export->by_pc;
	return stack < tree->stack_count && tree->node_of[stack] ? tree->node_of[stack] - 1 : NO_NUMBER;
}

static void print_samples(struct firefox *firefox, const struct trace_thread *part)
{
	const struct metric *metric = profile_export_metric(firefox->export, firefox->export->chosen);
	const struct metric_event *events = firefox->threads.events.all + part->first_event;
	size_t count = part->events_end - part->first_event;
	bool time = metric->unit == METRIC_NANOSECONDS;
	FILE *file = firefox->file;
	fprintf(file, "\"samples\": {\"length\": %zu, \"weightType\": \"%s\",\n  \"stack\": [", count,
		time                           ? "tracing-ms"
		: metric->unit == METRIC_BYTES ? "bytes"
					       : "samples");
	for (size_t i = 0; i < count; i++) {
		uint32_t stack = stack_of(firefox, events[i].stack);
		if (stack == NO_NUMBER)
			fputs(i ? ",null" : "null", file);
		else
			fprintf(file, "%s%" PRIu32, i ? "," : "", stack);
	}
	fputs("],\n  \"time\": [", file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", file);
		print_ms(file, trace_time(&firefox->threads, part->experiment, events[i].time));
	}
	fputs("],\n  \"weight\": [", file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", file);
		if (time || metric->unit == METRIC_DECIMAL)
			print_ms(file, events[i].value);
		else
			fprintf(file, "%" PRIu64, events[i].value);
	}
	fputs("]},\n", file);
}

static void print_marker_data(struct firefox *firefox, const struct traced_call *call)
{
	struct session *session = firefox->export->session;
	FILE *file = firefox->file;
	const char *object = traced_call_object(session, &firefox->export->texts, call);
	fprintf(file, "{\"type\": \"%s\", \"name\": ", kind_row(call->kind)->name);
	print_json_text(file, traced_call_name(session, call));
	if (object) {
		fputs(", \"object\": ", file);
		print_json_text(file, object);
	}
	if (call->bytes)
		fprintf(file, ", \"bytes\": %" PRIu64, call->bytes);
	if (call->error)
		fprintf(file, ", \"error\": %" PRIu64, call->error);
	uint32_t stack = stack_of(firefox, call->stack);
	if (stack != NO_NUMBER) {
		fputs(", \"cause\": {\"time\": ", file);
		print_ms(file, trace_time(&firefox->threads, call->experiment, call->begin));
		fprintf(file, ", \"stack\": %" PRIu32 "}", stack);
	}
	putc('}', file);
}

static void print_markers(struct firefox *firefox, const struct trace_thread *part)
{
	enum { INTERVAL = 1 };
	static const int categories[KIND_COUNT] = {
		[KIND_IO] = CATEGORY_IO, [KIND_SYNC] = CATEGORY_WAIT, [KIND_MPI] = CATEGORY_MPI};
	static const char *const names[KIND_COUNT] = {[KIND_IO] = "I/O", [KIND_SYNC] = "Wait", [KIND_MPI] = "MPI"};
	const struct traced_call *calls = firefox->threads.calls.all + part->first_call;
	size_t count = part->calls_end - part->first_call;
	FILE *file = firefox->file;
	fprintf(file, "\"markers\": {\"length\": %zu,\n  \"name\": [", count);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%" PRIu32, i ? "," : "", firefox_string(&firefox->tables, names[calls[i].kind]));
	fputs("],\n  \"startTime\": [", file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", file);
		print_ms(file, trace_time(&firefox->threads, part->experiment, calls[i].begin));
	}
	fputs("],\n  \"endTime\": [", file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", file);
		print_ms(file, trace_time(&firefox->threads, part->experiment, calls[i].end));
	}
	fputs("],\n  \"phase\": [", file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%d", i ? "," : "", INTERVAL);
	fputs("],\n  \"category\": [", file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%d", i ? "," : "", categories[calls[i].kind]);
	fputs("],\n  \"data\": [", file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n    " : "", file);
		print_marker_data(firefox, &calls[i]);
	}
	fputs("]}", file);
}

static void print_thread(struct firefox *firefox, const struct trace_thread *part)
{
	const struct data *data = firefox->export->session->data;
	const struct experiment *file = data->experiments[part->experiment].file;
	FILE *out = firefox->file;
	uint64_t start =
		trace_time(&firefox->threads, part->experiment, data->experiments[part->experiment].start_offset);
	fprintf(out, "{\"name\": \"Thread %" PRIu32 "\", \"processName\": ", part->thread);
	print_json_text(out, trace_process_name(&firefox->threads, part->experiment));
	fprintf(out, ", \"pid\": \"%" PRIu64 "\", \"tid\": \"%" PRIu32 ".%" PRIu32 "\", \"isMainThread\": %s, ",
		file->process.pid ? file->process.pid : (uint64_t)part->experiment + 1, part->experiment + 1,
		part->thread, part->thread == 1 ? "true" : "false");
	fputs("\"processType\": \"default\", \"showMarkersInTimeline\": true, \"pausedRanges\": [], "
	      "\"processStartupTime\": ",
		out);
	print_ms(out, start);
	fputs(", \"processShutdownTime\": null, \"registerTime\": ", out);
	print_ms(out, start);
	fputs(", \"unregisterTime\": null,\n", out);
	print_samples(firefox, part);
	print_markers(firefox, part);
	putc('}', out);
}

static bool write_firefox(struct profile_export *export, FILE *file)
{
	struct session *session = export->session;
	struct firefox firefox = {.export = export,
		.file = file,
		.threads = trace_threads_make(session, export->by_pc->metrics, export->chosen)};
	struct trace_thread part = {0};
	firefox_tables_make(&firefox.tables, export);
	print_meta(&firefox);
	fputs("\"libs\": [", file);
	firefox_libraries_print(&firefox.tables, file);
	fputs("],\n\"threads\": [", file);
	for (bool first = true; trace_threads_next(&firefox.threads, &part); first = false) {
		fputs(first ? "\n" : ",\n", file);
		print_thread(&firefox, &part);
	}
	fputs("],\n\"shared\": {", file);
	firefox_shared_print(&firefox.tables, file);
	fputs("}}\n", file);
	firefox_tables_free(&firefox.tables);
	trace_threads_free(&firefox.threads);
	return true;
}

bool command_firefox(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "firefox needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], false, write_firefox);
}
