/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that draw: flamegraph, icicle, flamechart and sandwich the sort metric, spacechart the code spaces of threads. */
#include "chart_subject.h"
#include "choose_function.h"
#include "command_functions.h"
#include "commands_title.h"
#include "export_file.h"
#include "flamegraph.h"
#include "picture_parts.h"
#include "picture_subject.h"
#include "picture_value.h"
#include "picture_weight.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct naming {
	struct session *session;
	struct table *texts; /* owns the names that must be put together */
};

static const char *function_name(const void *context, uint32_t function)
{
	const struct naming *naming = context;
	return session_function_name(naming->session, naming->texts, function);
}

/* Imported profiles mark functions in their names alone. */
static enum frame_mark function_mark(const void *context, uint32_t function)
{
	const struct naming *naming = context;
	const struct data *data = naming->session->data;
	const struct function *known = resolver_function(naming->session->resolver, function);
	const struct load_object *object = &data->objects[known->object];
	if (object->type == OBJECT_DYNAMIC && data->experiments[object->experiment].imported.what)
		return MARK_NONE;
	if (object->type == OBJECT_DYNAMIC)
		return object->layer == LAYER_KERNEL ? MARK_KERNEL : MARK_JIT;
	return !strncmp(known->mangled, "_Z", 2) ? MARK_CPLUSPLUS : MARK_NONE;
}

static bool is_page(const char *path)
{
	const char *end = strrchr(path, '.');
	return end && (!strcasecmp(end, ".html") || !strcasecmp(end, ".htm"));
}

static bool write_picture(struct session *session, const char *path, const struct picture_subject *subject,
	const struct flamegraph_options *options)
{
	struct error error = {""};
	FILE *file = export_file_open(path, false);
	if (!file)
		return session_error(session, "Unable to open file: %s (%s)", path, strerror(errno));
	bool whole = (is_page(path) ? page_write : flamegraph_write)(
		file, subject->tree, session->resolver, subject->metric, options, &error);
	int why = export_file_close(file);
	if (!whole && !why)
		return session_error(session, "%s: %s", path, error.text);
	if (why)
		return session_error(session, "%s: the picture cannot be written whole: %s", path, strerror(why));
	return true;
}

static const struct {
	const char *command, *title, *written;
	bool icicle;
} shapes[SHAPE_COUNT] = {[SHAPE_FLAMEGRAPH] = {"flamegraph", "Flame Graph", "Flame graph", false},
	[SHAPE_ICICLE] = {"icicle", "Icicle Graph", "Icicle graph", true},
	[SHAPE_FLAMECHART] = {"flamechart", "Flame Chart", "Flame chart", true},
	[SHAPE_SANDWICH] = {"sandwich", "Sandwich Graph", "Sandwich graph", true},
	[SHAPE_SPACECHART] = {"spacechart", "Phases and Code Spaces", "Chart of spaces", true}};

/* The picture that a command asks for. */
struct request {
	enum picture_shape shape;
	uint32_t function; /* of SHAPE_SANDWICH */
	const char *path;
	const char *filter;   /* of the user; 0: none */
	const char *within;   /* of the session: the user's, and that of the heaviest processes; 0: none */
	const char *heaviest; /* the line's words about these; 0: all are drawn */
};

/* "Bytes Allocated Flame Graph: ./app 3", if the user has set no title. */
static void set_title(struct session *session, const struct picture_subject *subject, enum picture_shape shape,
	struct table *texts, struct flamegraph_options *options)
{
	const char *kind = subject->spaces ? 0 : picture_kind(&subject->tree->metrics->rows[subject->metric]);
	options->title = session->picture.title;
	if (options->title)
		return;
	options->titled = table_text(texts, "%s%s: %s", picture_subject_is_difference(subject) ? "Differential " : "",
		shapes[shape].title, commands_title(session, texts));
	options->title = kind ? table_text(texts, "%s %s", kind, options->titled) : options->titled;
	if (subject->spaces)
		options->titled = 0;
}

static bool draw_subject(
	struct session *session, const char *path, const struct picture_subject *subject, const struct request *request)
{
	struct table texts = {0};
	struct naming naming = {session, &texts};
	struct space_naming space_naming = {subject->spaces, &texts};
	struct picture_setting setting = session->picture;
	if (subject->spaces && setting.palette == PALETTE_warm)
		setting.palette = PALETTE_object;
	struct flamegraph_options options = {.setting = &setting,
		.icicle = shapes[request->shape].icicle,
		.threshold = session->tree_setting.threshold,
		.depth = session->tree_setting.depth,
		.scale = subject->scale,
		.naming = {.name = function_name, .mark = function_mark, .context = &naming},
		.metrics = subject->metrics,
		.metric_count = subject->metric_count,
		.sides = subject->sides,
		.experiments = subject->experiments,
		.leaf_first = session->tree_setting.bottom_up,
		.difference = subject->difference,
		.chart = subject->chart,
		.callees = subject->callees,
		.whole = subject->whole};
	if (subject->spaces)
		options.naming = space_subject_naming(&space_naming);
	set_title(session, subject, request->shape, &texts, &options);
	if (is_page(path) && !subject->chart && !subject->sides)
		options.functions = session_functions(session);
	const char **lanes = picture_subject_lanes(session, subject, &texts);
	options.lanes = lanes;
	if (request->shape == SHAPE_SANDWICH)
		options.around = session_function_name(session, &texts, request->function);
	options.subtitle = picture_subject_line(session, subject, &texts, &options.about);
	bool drawn = write_picture(session, path, subject, &options);
	if (drawn && !export_file_is_standard(path))
		fprintf(stderr, "%s written to %s\n", shapes[request->shape].written, path);
	free(lanes);
	table_free(&texts);
	return drawn;
}

/* `part`: of what is loaded; 0: all of it. */
static bool draw_part(
	struct session *session, const struct request *request, const char *path, const struct picture_part *part)
{
	struct picture_subject subject;
	bool page = is_page(path), found = request->shape == SHAPE_SANDWICH
						   ? picture_subject_around(session, request->function, page, &subject)
						   : picture_subject_find(session, request->shape, page, &subject);
	subject.part = part ? part->label : 0;
	subject.heaviest = request->heaviest;
	subject.filter = request->filter;
	bool drawn = found && draw_subject(session, path, &subject, request);
	picture_subject_free(&subject);
	return drawn;
}

/* A filter of ours, which cannot be wrong, within one of the session's; either may be 0. */
static void set_filter(struct session *session, struct table *texts, const char *filter, const char *own)
{
	struct error error = {""};
	const char *text = !own ? filter : filter ? table_text(texts, "(%s) && (%s)", filter, own) : own;
	session_set_filter(session, text ? text : "", &error);
}

/* Draws each part that it can; what is wrong with one is said. */
static bool draw_each(struct session *session, struct request *request)
{
	if (session->sort.item.type != ITEM_METRIC || export_file_is_standard(request->path))
		return session_error(session, "picture each=: %s",
			session->sort.item.type != ITEM_METRIC ? "the sort metric is none: choose one with sort"
							       : "several pictures cannot be written to one output");
	struct picture_parts parts = picture_parts_find(session);
	bool all = true;
	for (uint32_t i = 0; i < parts.count; i++) {
		set_filter(session, &parts.texts, request->within, parts.all[i].filter);
		const char *path = picture_part_path(&parts, &parts.all[i], request->path);
		all &= draw_part(session, request, path, &parts.all[i]);
	}
	if (parts.count)
		set_filter(session, &parts.texts, request->within, 0);
	else
		all = session_error(session, "no picture of %s: its total is 0 in what was loaded",
			session_table(session)->rows[session->sort.item.metric].title);
	picture_parts_free(&parts);
	return all;
}

static bool draw_all(struct session *session, struct request *request)
{
	return session->picture.each ? draw_each(session, request) : draw_part(session, request, request->path, 0);
}

/* The session's filter is as it was afterwards. */
static bool draw_request(struct session *session, struct request *request)
{
	struct table texts = {0};
	struct picture_weight weight = {0};
	if (session->filter_text)
		request->filter = request->within = table_text(&texts, "%s", session->filter_text);
	if (session->picture.weight > 0 && session->sort.item.type == ITEM_METRIC)
		weight = picture_weight_find(session, &texts);
	if (weight.filter) {
		set_filter(session, &texts, request->filter, weight.filter);
		request->within = table_text(&texts, "%s", session->filter_text);
		request->heaviest = weight.label;
	}
	bool drawn = draw_all(session, request);
	if (weight.filter)
		set_filter(session, &texts, request->filter, 0);
	table_free(&texts);
	return drawn;
}

static bool draw(struct session *session, unsigned argc, char **argv, enum picture_shape shape)
{
	if (!argc || !*argv[0])
		return session_error(
			session, "%s needs the name of the file to write, .svg or .html, or -", shapes[shape].command);
	return draw_request(session, &(struct request){.shape = shape, .path = argv[0]});
}

bool command_flamegraph(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, SHAPE_FLAMEGRAPH);
}

bool command_icicle(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, SHAPE_ICICLE);
}

bool command_flamechart(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, SHAPE_FLAMECHART);
}

bool command_spacechart(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, SHAPE_SPACECHART);
}

bool command_sandwich(struct session *session, unsigned argc, char **argv)
{
	struct request request = {.shape = SHAPE_SANDWICH};
	if (argc < 2 || !*argv[1])
		return session_error(
			session, "sandwich needs a function and the name of the file to write, .svg or .html, or -");
	request.path = argv[1];
	return choose_function(session, argv[0], argc > 2 ? argv[2] : 0, &request.function) &&
	       draw_request(session, &request);
}
