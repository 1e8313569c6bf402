/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses metrics, opens files, names functions. */
#include "profile_export.h"
#include "export_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has_metric(const struct profile_export *export, unsigned metric)
{
	for (unsigned i = 0; i < export->metric_count; i++)
		if (export->metrics[i] == metric)
			return true;
	return false;
}

static void choose_metrics(struct profile_export *export)
{
	const struct session *session = export->session;
	const struct metric_item *sorted = &session->sort.item;
	for (unsigned i = 0; i < session->metrics.count; i++) {
		const struct metric_item *item = &session->metrics.items[i];
		if (item->type == ITEM_METRIC && item->show && export->by_pc->exclusive[item->metric] &&
			!has_metric(export, item->metric))
			export->metrics[export->metric_count++] = item->metric;
	}
	if (export->metric_count)
		export->chosen = export->metrics[0];
	if (sorted->type == ITEM_METRIC && has_metric(export, sorted->metric))
		export->chosen = sorted->metric;
}

const struct metric *profile_export_metric(const struct profile_export *export, unsigned metric)
{
	return &export->by_pc->metrics->rows[metric];
}

uint64_t profile_export_total(const struct profile_export *export, unsigned metric)
{
	return export->by_pc->inclusive[metric][0];
}

bool profile_export_counts(const struct profile_export *export, const struct path_tree *tree, uint32_t node)
{
	for (unsigned i = 0; i < export->metric_count; i++)
		if (tree->exclusive[export->metrics[i]][node])
			return true;
	return false;
}

const char *profile_export_name(struct profile_export *export, uint32_t function)
{
	if (!export->names[function])
		export->names[function] = session_function_name(export->session, &export->texts, function);
	return export->names[function];
}

static bool has_sum(const struct profile_export *export)
{
	for (unsigned i = 0; i < export->metric_count; i++)
		if (profile_export_total(export, export->metrics[i]))
			return true;
	return false;
}

static bool write_file(struct profile_export *export, const char *path, bool binary, profile_writer *writer)
{
	FILE *file = export_file_open(path, binary);
	if (!file)
		return session_error(export->session, "Unable to open file: %s (%s)", path, strerror(errno));
	errno = 0;
	bool written = writer(export, file);
	int failed = written ? 0 : errno ? errno : EIO;
	int why = export_file_close(file);
	if (!written || why)
		return session_error(export->session, "%s: %s", path,
			*export->error.text ? export->error.text : strerror(failed ? failed : why));
	if (!export_file_is_standard(path))
		fprintf(stderr, "Profile written to %s\n", path);
	return true;
}

bool profile_export_run(struct session *session, const char *path, bool binary, profile_writer *writer)
{
	struct profile_export export = {.session = session,
		.by_pc = session_tree(session),
		.by_function = session_merged(session),
		.name_count = resolver_function_count(session->resolver)};
	choose_metrics(&export);
	if (!export.metric_count)
		return session_error(session, "No metric is shown that could be written: choose some with metrics");
	if (!has_sum(&export))
		return session_error(
			session, "There is nothing to write: the totals of the metrics that are shown are 0");
	export.names = memory_new(export.name_count, sizeof *export.names);
	bool written = write_file(&export, path, binary, writer);
	free(export.names);
	table_free(&export.texts);
	return written;
}
