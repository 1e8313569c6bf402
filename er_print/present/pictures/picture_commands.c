/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that draw the call tree's inclusive values of the sort metric: flamegraph and icicle. */
#include "command_functions.h"
#include "commands_title.h"
#include "export_file.h"
#include "flamegraph.h"
#include "picture_value.h"
#include "tree_shapes.h"
#include "version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* The metric with its total, the experiments, the filter, what is estimated, the version. */
static const char *subtitle_of(
	const struct session *session, struct table *texts, const struct metric *metric, uint64_t total)
{
	const struct data *data = session->data;
	char value[PICTURE_VALUE_MAX];
	const char *text = table_text(texts, "%s %s", metric->title, picture_value(value, metric->unit, total));
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (data->experiments[i].founder == i)
			text = table_text(texts, "%s, %s", text, data->experiments[i].file->name);
	if (session->filter_text)
		text = table_text(texts, "%s, filter: %s", text, session->filter_text);
	if (metric->kind == KIND_CLOCK && session->estimated)
		text = table_text(
			texts, "%s, %.3f s of short threads estimated", text, (double)session->estimated / 1e9);
	return table_text(texts, "%s, er-tools " ER_TOOLS_VERSION, text);
}

/* The tree that a picture is of, as the settings tree and picture ask for it; *owned is to be freed. */
static const struct path_tree *tree_to_draw(struct session *session, struct path_tree **owned)
{
	const struct path_tree *tree = session_merged(session);
	struct path_tree *joined = session->picture.joined ? path_tree_joined(tree) : 0;
	*owned = joined;
	if (!session->tree_setting.bottom_up)
		return joined ? joined : tree;
	*owned = path_tree_inverted(joined ? joined : tree);
	path_tree_free(joined);
	return *owned;
}

/* Whether the sort metric can be drawn, and the metric of the scale is there. */
static bool choose_metrics(struct session *session, unsigned *metric, unsigned *scale)
{
	if (session->sort.item.type != ITEM_METRIC)
		return session_error(session, "%s draws the metric that lists are sorted by: choose one with sort",
			session->command);
	const struct metric_table *table = session_table(session);
	const struct metric *row = &table->rows[session->sort.item.metric];
	if (row->unit == METRIC_RATIO)
		return session_error(
			session, "%s is a ratio and has no sum to draw: choose another metric with sort", row->name);
	*metric = *scale = session->sort.item.metric;
	if (!session->picture.by)
		return true;
	int by = metric_find(table, session->picture.by);
	if (by < 0 || !session_metrics(session).recorded[by])
		return session_error(session, "picture by=%s: %s; metric_list lists the metrics", session->picture.by,
			by < 0 ? "there is no such metric" : "no data recorded for this metric");
	*scale = (unsigned)by;
	session_want_all(session);
	return true;
}

static bool write_picture(struct session *session, const char *path, const struct path_tree *tree, unsigned metric,
	const struct flamegraph_options *options)
{
	struct error error = {""};
	if (!flamegraph_has_total(tree, metric, &error))
		return session_error(session, "%s", error.text);
	FILE *file = export_file_open(path, false);
	if (!file)
		return session_error(session, "Unable to open file: %s (%s)", path, strerror(errno));
	flamegraph_write(file, tree, session->resolver, metric, options, &error);
	int why = export_file_close(file);
	if (why)
		return session_error(session, "%s: the picture cannot be written whole: %s", path, strerror(why));
	if (!export_file_is_standard(path))
		fprintf(stderr, "%s written to %s\n", options->icicle ? "Icicle graph" : "Flame graph", path);
	return true;
}

static bool draw(struct session *session, unsigned argc, char **argv, bool icicle)
{
	unsigned metric = 0, scale = 0;
	if (!argc || !*argv[0])
		return session_error(
			session, "%s needs the name of the SVG file to write, or -", icicle ? "icicle" : "flamegraph");
	if (!choose_metrics(session, &metric, &scale))
		return false;
	struct path_tree *owned;
	const struct path_tree *tree = tree_to_draw(session, &owned);
	struct table texts = {0};
	struct naming naming = {session, &texts};
	const struct picture_setting *setting = &session->picture;
	struct flamegraph_options options = {.setting = setting,
		.title = setting->title ? setting->title
					: commands_title(session, &texts, icicle ? "Icicle Graph" : "Flame Graph"),
		.icicle = icicle,
		.threshold = session->tree_setting.threshold,
		.depth = session->tree_setting.depth,
		.scale = scale,
		.naming = {function_name, function_mark, &naming}};
	options.subtitle = subtitle_of(session, &texts, &tree->metrics->rows[metric],
		tree->inclusive[metric] ? tree->inclusive[metric][0] : 0);
	bool drawn = write_picture(session, argv[0], tree, metric, &options);
	table_free(&texts);
	path_tree_free(owned);
	return drawn;
}

bool command_flamegraph(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, false);
}

bool command_icicle(struct session *session, unsigned argc, char **argv)
{
	return draw(session, argc, argv, true);
}
