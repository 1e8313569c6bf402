/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams the events of a kind: each block is decoded, its stacks and times made common, and handed on. */
#include "visit.h"

void data_visit(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	struct visit visit;
	struct event_batch events = {0};
	visit_begin(&visit, data, kind);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		struct experiment *file = data->experiments[e].file;
		for (unsigned s = 0; s < file->source_count; s++) {
			struct event_source *source = &file->sources[s];
			for (unsigned b = 0; source->kind == (int)kind && b < source->block_count; b++) {
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
