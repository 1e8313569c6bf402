/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making a decoded block common: its stacks and times are those of all experiments, its fields those of our table. For the
   files of this room only. */
#ifndef VISIT_H
#define VISIT_H

#include "data.h"

struct visit {
	const struct data *data;
	enum kind kind;
	uint64_t *zeros;              /* what a field that the file lacks holds: as many as a block can have events */
	bool stack_field[FIELDS_MAX]; /* by our table: a second stack */
};
void visit_begin(struct visit *visit, const struct data *data, enum kind kind);
void visit_end(struct visit *visit);

/* One block of the events of a source; where they are in the list of what is visited. */
struct visited_block {
	uint32_t experiment;
	unsigned source, block;
};
/* A room of ahead.h for one block. */
struct decoded_block {
	struct event_batch events;
	struct data_batch batch; /* the same, made common: their columns */
	bool some;               /* there are events */
};
/* Thread-safe for different rooms. */
void visit_decode(const struct visit *visit, const struct visited_block *block, struct decoded_block *decoded);
void visit_empty(void *decoded_block);
/* The next events of the block, at most so many. */
void visit_decode_part(const struct visit *visit, const struct visited_block *block, struct event_cursor *cursor,
	uint32_t most, struct decoded_block *decoded);

#endif
