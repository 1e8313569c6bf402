/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command speedscope: one sampled profile for each metric, in the file format of speedscope.app (its
   file-format-schema.json): frames once, then a stack of them, root first, for each path that something was counted on. */
#include "command_functions.h"
#include "commands_title.h"
#include "json_text.h"
#include "profile_export.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>

struct speedscope {
	struct profile_export *export;
	FILE *file;
	uint32_t *number_of; /* by function: its frame, from 1; 0: it is on no path */
	uint32_t *path;      /* frames of the present path, from the root */
	unsigned metric;
	const char *between;
};

static void print_frame(struct speedscope *speedscope, uint32_t function)
{
	const struct resolver *resolver = speedscope->export->session->resolver;
	const struct function *of = resolver_function(resolver, function);
	const char *source = resolver_file(resolver, of->file);
	fputs("{\"name\": ", speedscope->file);
	print_json_text(speedscope->file, profile_export_name(speedscope->export, function));
	if (*source) {
		fputs(", \"file\": ", speedscope->file);
		print_json_text(speedscope->file, source);
	}
	if (*source && of->first_line)
		fprintf(speedscope->file, ", \"line\": %" PRIu32, of->first_line);
	putc('}', speedscope->file);
}

static void print_frames(struct speedscope *speedscope)
{
	const struct path_tree *tree = speedscope->export->by_function;
	uint32_t count = 0;
	fputs("\"shared\": {\"frames\": [", speedscope->file);
	for (uint32_t node = 1; node < tree->count; node++) {
		uint32_t function = tree->nodes[node].frame.function;
		if (speedscope->number_of[function])
			continue;
		fputs(count ? ",\n  " : "\n  ", speedscope->file);
		print_frame(speedscope, function);
		speedscope->number_of[function] = ++count;
	}
	fputs("]},\n", speedscope->file);
}

static bool is_counted(const struct speedscope *speedscope, uint32_t node)
{
	return speedscope->export->by_function->exclusive[speedscope->metric][node] != 0;
}

static void print_stack(void *context, uint32_t node, uint32_t depth)
{
	struct speedscope *speedscope = context;
	const struct path_node *own = &speedscope->export->by_function->nodes[node];
	speedscope->path[depth] = node ? speedscope->number_of[own->frame.function] - 1 : 0;
	if (!is_counted(speedscope, node))
		return;
	fprintf(speedscope->file, "%s[", speedscope->between);
	/* <Total> is no frame. */
	for (uint32_t d = 1; d <= depth; d++)
		fprintf(speedscope->file, "%s%" PRIu32, d > 1 ? "," : "", speedscope->path[d]);
	putc(']', speedscope->file);
	speedscope->between = ",\n    ";
}

static void print_value(const struct speedscope *speedscope, uint64_t value)
{
	if (profile_export_metric(speedscope->export, speedscope->metric)->unit == METRIC_DECIMAL)
		fprintf(speedscope->file, "%" PRIu64 ".%06u", value / 1000000, (unsigned)(value % 1000000));
	else
		fprintf(speedscope->file, "%" PRIu64, value);
}

static void print_weight(void *context, uint32_t node, uint32_t depth)
{
	struct speedscope *speedscope = context;
	(void)depth;
	if (!is_counted(speedscope, node))
		return;
	fputs(speedscope->between, speedscope->file);
	print_value(speedscope, speedscope->export->by_function->exclusive[speedscope->metric][node]);
	speedscope->between = ",";
}

static const char *unit_name(enum metric_unit unit)
{
	return unit == METRIC_NANOSECONDS ? "nanoseconds" : unit == METRIC_BYTES ? "bytes" : "none";
}

static void print_profile(struct speedscope *speedscope, unsigned metric)
{
	const struct metric *row = profile_export_metric(speedscope->export, metric);
	FILE *file = speedscope->file;
	speedscope->metric = metric;
	fputs("{\"type\": \"sampled\", \"name\": ", file);
	print_json_text(file, row->title);
	fprintf(file, ", \"unit\": \"%s\", \"startValue\": 0, \"endValue\": ", unit_name(row->unit));
	print_value(speedscope, profile_export_total(speedscope->export, metric));
	fputs(",\n  \"samples\": [", file);
	speedscope->between = "\n    ";
	path_tree_walk(speedscope->export->by_function, print_stack, 0, speedscope);
	fputs("],\n  \"weights\": [", file);
	speedscope->between = "";
	path_tree_walk(speedscope->export->by_function, print_weight, 0, speedscope);
	fputs("]}", file);
}

static bool write_speedscope(struct profile_export *export, FILE *file)
{
	struct speedscope speedscope = {.export = export,
		.file = file,
		.number_of = memory_new(export->name_count, sizeof *speedscope.number_of),
		.path = memory_new(export->by_function->depth + 1, sizeof *speedscope.path)};
	unsigned active = 0;
	fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n", file);
	fputs("\"exporter\": \"er_print " ER_TOOLS_VERSION "\",\n\"name\": ", file);
	print_json_text(file, commands_title(export->session, &export->texts));
	fputs(",\n", file);
	print_frames(&speedscope);
	fputs("\"profiles\": [", file);
	for (unsigned i = 0; i < export->metric_count; i++) {
		fputs(i ? ",\n" : "\n", file);
		print_profile(&speedscope, export->metrics[i]);
		active = export->metrics[i] == export->chosen ? i : active;
	}
	fprintf(file, "],\n\"activeProfileIndex\": %u}\n", active);
	free(speedscope.number_of);
	free(speedscope.path);
	return true;
}

bool command_speedscope(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "speedscope needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], false, write_speedscope);
}
