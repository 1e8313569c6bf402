/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that draw the call tree's inclusive values of the sort metric: flamegraph, icicle, flamechart and sandwich. */
#include "choose_function.h"
#include "command_functions.h"
#include "commands_title.h"
#include "export_file.h"
#include "flamegraph.h"
#include "picture_subject.h"

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
	[SHAPE_SANDWICH] = {"sandwich", "Sandwich Graph", "Sandwich graph", true}};

/* `function`: of SHAPE_SANDWICH. */
static bool draw_subject(struct session *session, const char *path, const struct picture_subject *subject,
	enum picture_shape shape, uint32_t function)
{
	struct table texts = {0};
	struct naming naming = {session, &texts};
	const struct picture_setting *setting = &session->picture;
	struct flamegraph_options options = {.setting = setting,
		.title = setting->title ? setting->title : commands_title(session, &texts, shapes[shape].title),
		.icicle = shapes[shape].icicle,
		.threshold = session->tree_setting.threshold,
		.depth = session->tree_setting.depth,
		.scale = subject->scale,
		.naming = {function_name, function_mark, &naming},
		.metrics = subject->metrics,
		.metric_count = subject->metric_count,
		.leaf_first = session->tree_setting.bottom_up,
		.difference = subject->difference,
		.chart = subject->chart,
		.callees = subject->callees,
		.whole = subject->whole};
	const char **lanes = picture_subject_lanes(session, subject, &texts);
	options.lanes = lanes;
	if (shape == SHAPE_SANDWICH)
		options.around = session_function_name(session, &texts, function);
	options.subtitle = picture_subject_line(session, subject, &texts, &options.about);
	bool drawn = write_picture(session, path, subject, &options);
	if (drawn && !export_file_is_standard(path))
		fprintf(stderr, "%s written to %s\n", shapes[shape].written, path);
	free(lanes);
	table_free(&texts);
	return drawn;
}

static bool draw(struct session *session, unsigned argc, char **argv, enum picture_shape shape)
{
	struct picture_subject subject;
	if (!argc || !*argv[0])
		return session_error(
			session, "%s needs the name of the file to write, .svg or .html, or -", shapes[shape].command);
	bool drawn = picture_subject_find(session, shape, is_page(argv[0]), &subject) &&
		     draw_subject(session, argv[0], &subject, shape, 0);
	picture_subject_free(&subject);
	return drawn;
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

bool command_sandwich(struct session *session, unsigned argc, char **argv)
{
	struct picture_subject subject;
	uint32_t function;
	if (argc < 2 || !*argv[1])
		return session_error(
			session, "sandwich needs a function and the name of the file to write, .svg or .html, or -");
	if (!choose_function(session, argv[0], argc > 2 ? argv[2] : 0, &function))
		return false;
	bool drawn = picture_subject_around(session, function, is_page(argv[1]), &subject) &&
		     draw_subject(session, argv[1], &subject, SHAPE_SANDWICH, function);
	picture_subject_free(&subject);
	return drawn;
}
