/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command callgrind: the profile in the format of callgrind's output ("Callgrind Format Specification" of valgrind's manual),
   for callgrind_annotate and kcachegrind: costs by line of each function, and calls with the costs that came of them.

   The inclusive cost of a call is what is attributed to it: on a path where its caller comes again further down, the last one has
   the rest of the path. So a function's costs and those of its calls add up to its inclusive cost, recursion or not. */
#include "command_functions.h"
#include "commands_title.h"
#include "number_map.h"
#include "profile_export.h"
#include "search.h"
#include "version.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of a function; or a call from there. */
struct cost {
	uint32_t function, line; /* line: index of a source_line; 0: none */
	uint32_t callee;         /* NO_KEY: costs of its own */
	uint64_t *values;        /* by export's metric */
	bool counted;            /* something was: a call inside a recursion is one even if others have all its costs */
};
struct callgrind {
	struct profile_export *export;
	FILE *file;
	struct number_map places; /* (place of the line, callee) -> index in costs */
	struct cost *costs;
	uint32_t count;
	size_t capacity;
	struct arena arena; /* of their values */
	uint32_t *path;     /* nodes of the present path */
	uint32_t *last;     /* by function: 1 + the depth of its last place on the path; 0: it is not on it */
	uint32_t *before;   /* by depth: what `last` was before that node */
	uint32_t *function_number, *file_number; /* in the output, from 1 in their order there; 0: none yet */
	uint32_t named, filed;                   /* how many have one */
};

static struct cost *add_cost(struct callgrind *callgrind, uint32_t *place, struct cost cost)
{
	memory_reserve(callgrind->costs, callgrind->count, callgrind->capacity);
	cost.values = arena_new(&callgrind->arena, callgrind->export->metric_count * sizeof *cost.values);
	for (unsigned i = 0; i < callgrind->export->metric_count; i++)
		cost.values[i] = 0;
	callgrind->costs[callgrind->count] = cost;
	*place = callgrind->count++;
	return &callgrind->costs[*place];
}

/* The costs of a frame's line, or of its calls of a function. Lines belong to one function; code without any is told by its
   function. */
static struct cost *cost_of(struct callgrind *callgrind, const struct frame *frame, uint32_t callee)
{
	uint32_t *line = number_map_place(
		&callgrind->places, number_pair(UINT32_MAX, frame->line ? frame->line : UINT32_MAX - frame->function));
	struct cost own = {.function = frame->function, .line = frame->line, .callee = NO_KEY};
	uint32_t line_place = *line == NO_NUMBER ? (add_cost(callgrind, line, own), callgrind->count - 1) : *line;
	if (callee == NO_KEY)
		return &callgrind->costs[line_place];
	uint32_t *call = number_map_place(&callgrind->places, number_pair(line_place, callee));
	own.callee = callee;
	return *call == NO_NUMBER ? add_cost(callgrind, call, own) : &callgrind->costs[*call];
}

static const struct frame *frame_of(const struct callgrind *callgrind, uint32_t node)
{
	return &callgrind->export->by_pc->nodes[node].frame;
}

/* The call that leads to a node has its inclusive costs, or loses those of another one. */
static void add_call(struct callgrind *callgrind, uint32_t caller, uint32_t callee, uint32_t of, bool more)
{
	const struct profile_export *export = callgrind->export;
	struct cost *cost = cost_of(callgrind, frame_of(callgrind, caller), frame_of(callgrind, callee)->function);
	for (unsigned i = 0; i < export->metric_count; i++) {
		uint64_t value = export->by_pc->inclusive[export->metrics[i]][of];
		cost->values[i] += more ? value : -value;
		cost->counted |= value != 0;
	}
}

static void enter(void *context, uint32_t node, uint32_t depth)
{
	struct callgrind *callgrind = context;
	const struct profile_export *export = callgrind->export;
	uint32_t function = frame_of(callgrind, node)->function, last = callgrind->last[function];
	callgrind->path[depth] = node;
	callgrind->before[depth] = last;
	if (!node)
		return;
	struct cost *own = cost_of(callgrind, frame_of(callgrind, node), NO_KEY);
	for (unsigned i = 0; i < export->metric_count; i++) {
		uint64_t value = export->by_pc->exclusive[export->metrics[i]][node];
		own->values[i] += value;
		own->counted |= value != 0;
	}
	if (depth > 1)
		add_call(callgrind, callgrind->path[depth - 1], node, node, true);
	/* From here on this is the function's last place: the call that its place before made has no more of it. */
	if (last)
		add_call(callgrind, callgrind->path[last - 1], callgrind->path[last], node, false);
	callgrind->last[function] = depth + 1;
}

static void leave(void *context, uint32_t node, uint32_t depth)
{
	struct callgrind *callgrind = context;
	callgrind->last[frame_of(callgrind, node)->function] = callgrind->before[depth];
}

static const struct source_line *line_of(const struct callgrind *callgrind, const struct cost *cost)
{
	static const struct source_line none;
	return cost->line ? resolver_line(callgrind->export->session->resolver, cost->line) : &none;
}

/* By function and line; a line's own costs before its calls. */
static int by_place(const void *left, const void *right, void *context)
{
	const struct cost *a = left, *b = right;
	const struct source_line *at = line_of(context, a), *bt = line_of(context, b);
	const struct resolver *resolver = ((const struct callgrind *)context)->export->session->resolver;
	int order = COMPARE(a->function, b->function);
	/* A file's number depends on what was asked for before. */
	if (!order && at->file != bt->file)
		order = strcmp(resolver_file(resolver, at->file), resolver_file(resolver, bt->file));
	order = order ?: COMPARE(at->line, bt->line);
	order = order ?: COMPARE(a->callee != NO_KEY, b->callee != NO_KEY);
	return order ?: COMPARE(a->callee, b->callee) ?: COMPARE(a->line, b->line);
}

/* "fn=(3) name", and from the second time on "fn=(3)". */
static void print_name(
	struct callgrind *callgrind, const char *key, const char *name, uint32_t *number, uint32_t *count)
{
	bool was = *number;
	if (!was)
		*number = ++*count;
	fprintf(callgrind->file, "%s=(%" PRIu32 ")", key, *number);
	if (!was) {
		putc(' ', callgrind->file);
		for (; *name; name++)
			putc(*name == '\n' || *name == '\r' ? '?' : *name, callgrind->file);
	}
	putc('\n', callgrind->file);
}

static void print_file(struct callgrind *callgrind, const char *key, uint32_t file)
{
	const char *path = resolver_file(callgrind->export->session->resolver, file);
	print_name(callgrind, key, *path ? path : "???", &callgrind->file_number[file], &callgrind->filed);
}

static void print_function(struct callgrind *callgrind, const char *key, uint32_t function)
{
	print_name(callgrind, key, profile_export_name(callgrind->export, function),
		&callgrind->function_number[function], &callgrind->named);
}

static uint32_t file_of(const struct callgrind *callgrind, uint32_t function)
{
	return resolver_function(callgrind->export->session->resolver, function)->file;
}

static void print_values(struct callgrind *callgrind, const struct cost *cost)
{
	fprintf(callgrind->file, "%" PRIu32, line_of(callgrind, cost)->line);
	for (unsigned i = 0; i < callgrind->export->metric_count; i++)
		fprintf(callgrind->file, " %" PRIu64, cost->values[i]);
	putc('\n', callgrind->file);
}

static void print_costs(struct callgrind *callgrind)
{
	uint32_t function = NO_KEY, file = NO_KEY;
	for (uint32_t c = 0; c < callgrind->count; c++) {
		const struct cost *cost = &callgrind->costs[c];
		uint32_t own = line_of(callgrind, cost)->file;
		if (!cost->counted)
			continue;
		if (cost->function != function) {
			function = cost->function;
			file = file_of(callgrind, function);
			putc('\n', callgrind->file);
			print_file(callgrind, "fl", file);
			print_function(callgrind, "fn", function);
		}
		if (cost->line && own != file) {
			print_file(callgrind, own == file_of(callgrind, function) ? "fe" : "fi", own);
			file = own;
		}
		if (cost->callee != NO_KEY) {
			print_file(callgrind, "cfi", file_of(callgrind, cost->callee));
			print_function(callgrind, "cfn", cost->callee);
			/* How often it was called is not known. */
			fprintf(callgrind->file, "calls=1 %" PRIu32 "\n",
				resolver_function(callgrind->export->session->resolver, cost->callee)->first_line);
		}
		print_values(callgrind, cost);
	}
}

static void print_totals(struct callgrind *callgrind, const char *key)
{
	const struct profile_export *export = callgrind->export;
	fputs(key, callgrind->file);
	for (unsigned i = 0; i < export->metric_count; i++)
		fprintf(callgrind->file, " %" PRIu64, profile_export_total(export, export->metrics[i]));
	putc('\n', callgrind->file);
}

/* "page_faults": what is no letter and no digit would be a formula. */
static void print_event(const struct metric *row, FILE *file)
{
	for (const char *c = row->name; *c; c++)
		putc(isalnum((unsigned char)*c) ? *c : '_', file);
}

static void print_head(struct callgrind *callgrind)
{
	static const char *const units[] = {[METRIC_NANOSECONDS] = ", in nanoseconds",
		[METRIC_BYTES] = ", in bytes",
		[METRIC_DECIMAL] = ", in millionths",
		[METRIC_CYCLES] = ", in cycles"};
	const struct profile_export *export = callgrind->export;
	FILE *file = callgrind->file;
	fputs("# callgrind format\nversion: 1\ncreator: er_print " ER_TOOLS_VERSION "\ncmd: ", file);
	fprintf(file, "%s\n", commands_title(callgrind->export->session, &callgrind->export->texts));
	fputs("desc: Calls: how often functions were called is not known, and 1 stands for it\n", file);
	fputs("positions: line\n", file);
	for (unsigned i = 0; i < export->metric_count; i++) {
		const struct metric *row = profile_export_metric(export, export->metrics[i]);
		const char *unit = row->unit < sizeof units / sizeof *units ? units[row->unit] : 0;
		fputs("event: ", file);
		print_event(row, file);
		fprintf(file, " : %s%s\n", row->title, unit ? unit : "");
	}
	fputs("events:", file);
	for (unsigned i = 0; i < export->metric_count; i++) {
		putc(' ', file);
		print_event(profile_export_metric(export, export->metrics[i]), file);
	}
	putc('\n', file);
	print_totals(callgrind, "summary:");
}

static bool write_callgrind(struct profile_export *export, FILE *file)
{
	uint32_t files = resolver_file_count(export->session->resolver), depth = export->by_pc->depth + 1;
	struct callgrind callgrind = {.export = export,
		.file = file,
		.path = memory_new(depth, sizeof *callgrind.path),
		.before = memory_new(depth, sizeof *callgrind.before),
		.last = memory_new(export->name_count, sizeof *callgrind.last),
		.function_number = memory_new(export->name_count, sizeof *callgrind.function_number),
		.file_number = memory_new(files, sizeof *callgrind.file_number)};
	path_tree_walk(export->by_pc, enter, leave, &callgrind);
	qsort_r(callgrind.costs, callgrind.count, sizeof *callgrind.costs, by_place, &callgrind);
	print_head(&callgrind);
	print_costs(&callgrind);
	putc('\n', file);
	print_totals(&callgrind, "totals:");
	number_map_free(&callgrind.places);
	arena_free(&callgrind.arena);
	free(callgrind.costs);
	free(callgrind.path);
	free(callgrind.before);
	free(callgrind.last);
	free(callgrind.function_number);
	free(callgrind.file_number);
	return true;
}

bool command_callgrind(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "callgrind needs the name of the file to write, or -");
	return profile_export_run(session, argv[0], false, write_callgrind);
}
