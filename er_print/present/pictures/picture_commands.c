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

/* The experiments, the filter, what is estimated, the version: what follows the metric with its total. */
static const char *about(const struct session *session, struct table *texts, bool estimated)
{
	const struct data *data = session->data;
	const char *text = "";
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (data->experiments[i].founder == i)
			text = table_text(texts, "%s, %s", text, data->experiments[i].file->name);
	if (session->filter_text)
		text = table_text(texts, "%s, filter: %s", text, session->filter_text);
	if (estimated && session->estimated)
		text = table_text(
			texts, "%s, %.3f s of short threads estimated", text, (double)session->estimated / 1e9);
	return table_text(texts, "%s, er-tools " ER_TOOLS_VERSION, text);
}

static const char *subtitle_of(struct table *texts, const struct path_tree *tree, unsigned metric, const char *rest)
{
	const struct metric *row = &tree->metrics->rows[metric];
	char value[PICTURE_VALUE_MAX];
	uint64_t total = tree->inclusive[metric] ? tree->inclusive[metric][0] : 0;
	return table_text(texts, "%s %s%s", row->title, picture_value(value, row->unit, total), rest);
}

/* A page's reader chooses how the tree is shown. */
static bool is_page(const char *path)
{
	const char *end = strrchr(path, '.');
	return end && (!strcasecmp(end, ".html") || !strcasecmp(end, ".htm"));
}

/* The tree that a picture is of, as the settings tree and picture ask for it; *owned is to be freed. */
static const struct path_tree *tree_to_draw(struct session *session, bool page, struct path_tree **owned)
{
	const struct path_tree *tree = session_merged(session);
	*owned = 0;
	if (page)
		return tree;
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
	bool whole =
		(is_page(path) ? page_write : flamegraph_write)(file, tree, session->resolver, metric, options, &error);
	int why = export_file_close(file);
	if (!whole && !why)
		return session_error(session, "%s: %s", path, error.text);
	if (why)
		return session_error(session, "%s: the picture cannot be written whole: %s", path, strerror(why));
	if (!export_file_is_standard(path))
		fprintf(stderr, "%s written to %s\n", options->icicle ? "Icicle graph" : "Flame graph", path);
	return true;
}

/* The metrics that a page can show: those with a sum. */
static unsigned metrics_with_sums(const struct path_tree *tree, unsigned *metrics)
{
	unsigned count = 0;
	for (unsigned m = 0; m < tree->metrics->count; m++)
		if (tree->metrics->rows[m].unit != METRIC_RATIO && tree->inclusive[m] && tree->inclusive[m][0])
			metrics[count++] = m;
	return count;
}

static bool draw(struct session *session, unsigned argc, char **argv, bool icicle)
{
	unsigned metric = 0, scale = 0;
	if (!argc || !*argv[0])
		return session_error(session, "%s needs the name of the file to write, .svg or .html, or -",
			icicle ? "icicle" : "flamegraph");
	if (!choose_metrics(session, &metric, &scale))
		return false;
	struct path_tree *owned;
	const struct path_tree *tree = tree_to_draw(session, is_page(argv[0]), &owned);
	struct table texts = {0};
	struct naming naming = {session, &texts};
	const struct picture_setting *setting = &session->picture;
	unsigned *metrics = memory_new(tree->metrics->count, sizeof *metrics);
	const char *title = setting->title ? setting->title
					   : commands_title(session, &texts, icicle ? "Icicle Graph" : "Flame Graph");
	const char *rest = about(session, &texts, tree->metrics->rows[metric].kind == KIND_CLOCK);
	struct flamegraph_options options = {.setting = setting,
		.title = title,
		.subtitle = subtitle_of(&texts, tree, metric, rest),
		.about = rest,
		.icicle = icicle,
		.threshold = session->tree_setting.threshold,
		.depth = session->tree_setting.depth,
		.scale = scale,
		.naming = {function_name, function_mark, &naming},
		.metrics = metrics,
		.metric_count = metrics_with_sums(tree, metrics),
		.leaf_first = session->tree_setting.bottom_up};
	bool drawn = write_picture(session, argv[0], tree, metric, &options);
	table_free(&texts);
	path_tree_free(owned);
	free(metrics);
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
