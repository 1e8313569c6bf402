/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making a decoded block common: its stacks and times are those of all experiments, its fields those of our table. For the
   files of this room only. */
#ifndef VISIT_H
#define VISIT_H

#include "data.h"

struct visit {
	const struct data *data;
	enum kind kind;
	uint64_t *zeros;              /* what a field that the file lacks holds */
	bool stack_field[FIELDS_MAX]; /* by our table: a second stack */
};
void visit_begin(struct visit *visit, const struct data *data, enum kind kind);
void visit_end(struct visit *visit);
/* The events as a batch, which has their columns. */
struct data_batch visit_batch(struct visit *visit, const struct loaded_experiment *experiment,
	const struct event_source *source, struct event_batch *events);

#endif
