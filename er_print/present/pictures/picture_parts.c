/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the parts of pictures. */
#include "picture_parts.h"
#include "metric_events.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finding {
	struct session *session;
	struct picture_parts *parts;
	const struct metric_events *events; /* by experiment, thread */
};

static void add_part(struct picture_parts *parts, const char *suffix, const char *label, const char *filter)
{
	parts->all = memory_room(parts->all, parts->count, sizeof *parts->all);
	parts->all[parts->count++] = (struct picture_part){suffix, label, filter};
}

static uint64_t pid_of(const struct finding *finding, uint32_t experiment)
{
	return finding->session->data->experiments[experiment].file->process.pid;
}

/* Whether no other experiment is of a process of that number. */
static bool is_only(const struct finding *finding, uint32_t experiment)
{
	uint64_t pid = pid_of(finding, experiment);
	for (uint32_t e = 0; e < finding->session->data->experiment_count; e++)
		if (e != experiment && pid_of(finding, e) == pid)
			return false;
	return pid;
}

/* "-1234", or "-e2" by the number of the experiment, where the process does not tell it from others. */
static const char *process_suffix(const struct finding *finding, uint32_t experiment)
{
	struct table *texts = &finding->parts->texts;
	return is_only(finding, experiment)
		       ? table_text(texts, "-%" PRIu64, pid_of(finding, experiment))
		       : table_text(texts, "-e%" PRIu32, finding->session->data->experiments[experiment].number);
}

static const char *process_label(const struct finding *finding, uint32_t experiment)
{
	struct table *texts = &finding->parts->texts;
	const struct loaded_experiment *loaded = &finding->session->data->experiments[experiment];
	return is_only(finding, experiment)
		       ? table_text(texts, "process %" PRIu64, pid_of(finding, experiment))
		       : table_text(texts, "experiment %" PRIu32 ", %s", loaded->number, loaded->file->name);
}

static void add_process(const struct finding *finding, uint32_t experiment)
{
	add_part(finding->parts, process_suffix(finding, experiment), process_label(finding, experiment),
		table_text(&finding->parts->texts, "EXPID == %" PRIu32,
			finding->session->data->experiments[experiment].number));
}

static void add_thread(const struct finding *finding, uint32_t experiment, uint32_t thread)
{
	struct table *texts = &finding->parts->texts;
	add_part(finding->parts, table_text(texts, "%s-%" PRIu32, process_suffix(finding, experiment), thread),
		table_text(texts, "%s, thread %" PRIu32, process_label(finding, experiment), thread),
		table_text(texts, "EXPID == %" PRIu32 " && THRID == %" PRIu32,
			finding->session->data->experiments[experiment].number, thread));
}

static void find_by_process(const struct finding *finding, bool threads)
{
	for (size_t i = 0; i < finding->events->count; i++) {
		const struct metric_event *own = &finding->events->all[i], *before = i ? own - 1 : 0;
		bool is_same = before && own->experiment == before->experiment;
		if (threads && !(is_same && own->thread == before->thread))
			add_thread(finding, own->experiment, own->thread);
		else if (!threads && !is_same)
			add_process(finding, own->experiment);
	}
}

static int by_rank(const void *left, const void *right)
{
	return COMPARE(*(const int64_t *)left, *(const int64_t *)right);
}

static int64_t rank_of(const struct finding *finding, uint32_t experiment)
{
	const struct experiment *file = finding->session->data->experiments[experiment].file;
	return mpi_event(file, "mpi") ? (int64_t)mpi_rank_of(file) : -1;
}

static void find_by_rank(const struct finding *finding)
{
	struct table *texts = &finding->parts->texts;
	int64_t *ranks = memory_new(finding->session->data->experiment_count, sizeof *ranks);
	uint32_t count = 0;
	for (size_t i = 0; i < finding->events->count; i++) {
		const struct metric_event *own = &finding->events->all[i];
		if (!i || own->experiment != own[-1].experiment)
			ranks[count++] = rank_of(finding, own->experiment);
	}
	if (count)
		qsort(ranks, count, sizeof *ranks, by_rank);
	for (uint32_t i = 0; i < count; i++) {
		if (i && ranks[i] == ranks[i - 1])
			continue;
		bool none = ranks[i] < 0;
		add_part(finding->parts, none ? "-no-rank" : table_text(texts, "-rank%" PRId64, ranks[i]),
			none ? "processes without a rank" : table_text(texts, "MPI rank %" PRId64, ranks[i]),
			table_text(texts, "MRANK == %" PRId64, ranks[i]));
	}
	free(ranks);
}

struct picture_parts picture_parts_find(struct session *session)
{
	struct picture_parts parts = {0};
	struct metric_events events = metric_events_read(
		session->data, session_table(session), session->sort.item.metric, session_filter(session));
	struct finding finding = {session, &parts, &events};
	if (session->picture.each == PICTURE_EACH_RANK)
		find_by_rank(&finding);
	else
		find_by_process(&finding, session->picture.each == PICTURE_EACH_THREAD);
	free(events.all);
	return parts;
}

void picture_parts_free(struct picture_parts *parts)
{
	free(parts->all);
	table_free(&parts->texts);
}

const char *picture_part_path(struct picture_parts *parts, const struct picture_part *part, const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	size_t stem = dot ? (size_t)(dot - path) : strlen(path);
	return table_text(&parts->texts, "%.*s%s%s", (int)stem, path, part->suffix, dot ? dot : "");
}
