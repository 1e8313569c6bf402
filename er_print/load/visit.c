/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams the events of a kind: each block is decoded, its stacks and times made common, and handed on. */
#include "visit.h"
#include "progress.h"

static uint64_t count_blocks(const struct data *data, enum kind kind)
{
	uint64_t count = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		for (unsigned s = 0; s < data->experiments[e].file->source_count; s++)
			if (data->experiments[e].file->sources[s].kind == (int)kind)
				count += data->experiments[e].file->sources[s].block_count;
	return count;
}

void data_visit(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	struct visit visit;
	struct event_batch events = {0};
	uint64_t done = 0, whole = count_blocks(data, kind);
	visit_begin(&visit, data, kind);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		struct experiment *file = data->experiments[e].file;
		for (unsigned s = 0; s < file->source_count; s++) {
			struct event_source *source = &file->sources[s];
			for (unsigned b = 0; source->kind == (int)kind && b < source->block_count; b++) {
				progress_show(kind_row(kind)->title, done++, whole);
				progress_checkpoint();
				if (!event_source_read(file, source, b, &events))
					continue;
				struct data_batch batch = visit_batch(&visit, &data->experiments[e], source, &events);
				visitor(context, &batch);
			}
		}
	}
	event_batch_free(&events);
	visit_end(&visit);
}
