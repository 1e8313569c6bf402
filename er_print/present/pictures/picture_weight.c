/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the heaviest processes. */
#include "picture_weight.h"
#include "metric_events.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct process_total {
	uint32_t experiment;
	uint64_t total;
};

static int by_total(const void *left, const void *right)
{
	const struct process_total *a = left, *b = right;
	int order = COMPARE(b->total, a->total);
	return order ? order : COMPARE(a->experiment, b->experiment);
}

/* The totals of the processes that have one; returns how many there are. */
static uint32_t find_totals(struct session *session, struct process_total *totals)
{
	struct metric_events events = metric_events_read(
		session->data, session_table(session), session->sort.item.metric, session_filter(session));
	uint32_t count = 0;
	for (size_t i = 0; i < events.count; i++) {
		const struct metric_event *own = &events.all[i];
		if (!i || own->experiment != own[-1].experiment)
			totals[count++] = (struct process_total){own->experiment, 0};
		totals[count - 1].total += own->value;
	}
	free(events.all);
	return count;
}

struct picture_weight picture_weight_find(struct session *session, struct table *texts)
{
	struct process_total *totals = memory_new(session->data->experiment_count, sizeof *totals);
	uint32_t count = find_totals(session, totals);
	uint32_t kept = (uint32_t)fmax(1, floor(count * session->picture.weight / 100));
	struct picture_weight weight = {0};
	if (count)
		qsort(totals, count, sizeof *totals, by_total);
	for (uint32_t i = 0; i < kept && i < count; i++)
		weight.filter = table_text(texts, "%s%sEXPID == %" PRIu32, i ? weight.filter : "", i ? " || " : "",
			session->data->experiments[totals[i].experiment].number);
	weight.label = table_text(texts, "heaviest %" PRIu32 " of %" PRIu32 " processes", kept, count);
	free(totals);
	return weight;
}
