/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lineages, sorted. */
#include "lineages.h"
#include "id_table.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

static const char *lineage_of(const struct experiment *file)
{
	const char *lineage = "";
	for (size_t i = 0; i < file->event_count; i++)
		if (!strcmp(file->events[i].kind, "run")) {
			const char *text = log_event_attribute(&file->events[i], "lineage");
			lineage = text ? text : "";
		}
	return lineage;
}

static int compare(const struct lineages *lineages, uint32_t e, uint32_t founder, const char *name)
{
	return COMPARE(lineages->founder[e], founder) ?: strcmp(lineages->name[e], name);
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct lineages *lineages = context;
	uint32_t y = *(const uint32_t *)b;
	return compare(lineages, *(const uint32_t *)a, lineages->founder[y], lineages->name[y]);
}

void lineages_read(struct lineages *lineages, const struct data *data)
{
	uint32_t count = data->experiment_count;
	*lineages = (struct lineages){.name = memory_new(count, sizeof *lineages->name),
		.founder = memory_new(count, sizeof *lineages->founder),
		.order = memory_new(count, sizeof *lineages->order),
		.count = count};
	for (uint32_t e = 0; e < count; e++) {
		lineages->name[e] = lineage_of(data->experiments[e].file);
		lineages->founder[e] = data->experiments[e].founder;
		lineages->order[e] = e;
	}
	qsort_r(lineages->order, count, sizeof *lineages->order, by_name, lineages);
}

void lineages_free(struct lineages *lineages)
{
	free(lineages->name);
	free(lineages->founder);
	free(lineages->order);
	*lineages = (struct lineages){0};
}

uint32_t lineages_find(const struct lineages *lineages, uint32_t founder, const char *lineage)
{
	const uint32_t *order = lineages->order;
	uint64_t first = FIRST_WHERE(i, lineages->count, compare(lineages, order[i], founder, lineage) >= 0);
	bool found = first < lineages->count && !compare(lineages, order[first], founder, lineage);
	return found ? order[first] : NO_ID;
}

uint32_t lineages_before(const struct lineages *lineages, uint32_t founder, const char *lineage)
{
	char *text = memory_new(strlen(lineage) + 1, 1), *end;
	uint32_t found = NO_ID;
	strcpy(text, lineage);
	/* An image of which nothing was recorded leaves a gap: the nearest one before it that was recorded is looked for. */
	while (found == NO_ID && (end = strrchr(text, '_'))) {
		*end = 0;
		found = lineages_find(lineages, founder, text);
	}
	free(text);
	return found;
}
