/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command flamegraph: the call tree's inclusive values of the sort metric as a picture in a file of its own. */
#include "command_functions.h"
#include "commands_title.h"
#include "flamegraph.h"
#include "unfinished_file.h"

#include <errno.h>
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

static const char *subtitle_of(const struct session *session, struct table *texts, const struct metric *metric)
{
	const struct data *data = session->data;
	uint32_t founders = 0;
	for (uint32_t i = 0; i < data->experiment_count; i++)
		founders += data->experiments[i].founder == i;
	const char *first = data->experiment_count ? data->experiments[0].file->name : "";
	const char *filter = session->filter_text ? table_text(texts, ", filter: %s", session->filter_text) : "";
	if (metric->kind == KIND_CLOCK && session->estimated)
		filter = table_text(
			texts, "%s, %.3f s of short threads estimated", filter, (double)session->estimated / 1e9);
	if (founders > 1)
		return table_text(texts, "%s, %s and %u more%s", metric->title, first, founders - 1, filter);
	return table_text(texts, "%s, %s%s", metric->title, first, filter);
}

bool command_flamegraph(struct session *session, unsigned argc, char **argv)
{
	if (!argc || !*argv[0])
		return session_error(session, "flamegraph needs the name of the SVG file to write");
	if (session->sort.item.type != ITEM_METRIC)
		return session_error(
			session, "flamegraph draws the metric that lists are sorted by: choose one with sort");
	const struct stack_sums *sums = session_sums(session);
	const struct metric *metric = &sums->metrics->rows[session->sort.item.metric];
	if (metric->unit == METRIC_RATIO)
		return session_error(
			session, "%s is a ratio and has no sum to draw: choose another metric with sort", metric->name);
	struct error error = {""};
	const struct path_tree *tree = session_merged(session);
	if (!flamegraph_has_total(tree, session->sort.item.metric, &error))
		return session_error(session, "%s", error.text);
	FILE *file = fopen(argv[0], "we");
	if (!file)
		return session_error(session, "Unable to open file: %s (%s)", argv[0], strerror(errno));
	struct table texts = {0};
	struct naming naming = {session, &texts};
	struct flamegraph_options options = {.title = commands_title(session, &texts, "Flame Graph"),
		.subtitle = subtitle_of(session, &texts, metric),
		.function_name = function_name,
		.context = &naming};
	unfinished_file_set(argv[0]);
	bool drawn = flamegraph_write(file, tree, session->resolver, session->sort.item.metric, &options, &error);
	if (fclose(file) && drawn)
		drawn = error_set(&error, "%s: %s", argv[0], strerror(errno));
	unfinished_file_set(0);
	table_free(&texts);
	if (!drawn)
		return session_error(session, "%s", error.text);
	fprintf(stderr, "Flame graph written to %s\n", argv[0]);
	return true;
}
