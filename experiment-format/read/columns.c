/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments whose events are in memory, because they were read from no experiment directory. */
#include "parts.h"
#include <stdio.h>
#include <string.h>

enum { EVENTS_IN_BLOCK = 4096 }; /* what is read at a time, as if they were a file's blocks */

struct experiment *experiment_without_files(const char *path)
{
	struct experiment *experiment = experiment_unknown(path);
	experiment->closed = true;
	return experiment;
}

void experiment_add_columns(struct experiment *experiment, enum kind kind, const struct event_columns *columns)
{
	const struct kind_row *row = kind_row(kind);
	unsigned count = experiment->source_count;
	experiment->sources = memory_room(experiment->sources, count, sizeof(*experiment->sources));
	struct event_source *source = &experiment->sources[count];
	*source = (struct event_source){0};
	experiment->source_count++;
	snprintf(source->name, sizeof(source->name), "%s", row->name);
	snprintf(source->title, sizeof(source->title), "%s", row->title);
	source->field_count = row->field_count;
	for (unsigned i = 0; i < row->field_count; i++) {
		struct event_field *field = &source->fields[i];
		snprintf(field->name, sizeof(field->name), "%s", row->fields[i].name);
		snprintf(field->title, sizeof(field->title), "%s", row->fields[i].title);
		field->unit = row->fields[i].unit;
	}
	source_map_to_table(source);
	source->block_count = (columns->count + EVENTS_IN_BLOCK - 1) / EVENTS_IN_BLOCK;
	source->columns = memory_new(1, sizeof(*columns));
	*source->columns = *columns;
}

bool columns_read(const struct event_source *source, unsigned index, struct event_batch *batch)
{
	const struct event_columns *columns = source->columns;
	uint32_t from = index * EVENTS_IN_BLOCK, left = columns->count - from;
	uint32_t count = left < EVENTS_IN_BLOCK ? left : EVENTS_IN_BLOCK;
	event_batch_reserve(batch, source->field_count, count);
	memcpy(batch->time, columns->time + from, count * sizeof(*batch->time));
	memcpy(batch->cpu, columns->cpu + from, count * sizeof(*batch->cpu));
	memcpy(batch->thread, columns->thread + from, count * sizeof(*batch->thread));
	memcpy(batch->stack, columns->stack + from, count * sizeof(*batch->stack));
	for (unsigned f = 0; f < source->field_count; f++)
		if (columns->field[f])
			memcpy(batch->field[f], columns->field[f] + from, count * sizeof(*batch->field[f]));
		else
			memset(batch->field[f], 0, count * sizeof(*batch->field[f]));
	batch->count = count;
	return count > 0;
}
