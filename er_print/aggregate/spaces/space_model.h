/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code spaces of all intervals between two samples of a thread, over all threads, processes and experiments. */
#ifndef SPACE_MODEL_H
#define SPACE_MODEL_H

#include "code_places.h"
#include "code_space.h"
#include "event_filter.h"
#include "number_map.h"
#include "space_counters.h"
#include "space_rules.h"

/* Sums over intervals. unknown: in how many of those on the CPU the count is not known. */
struct space_counts {
	uint64_t occurrences, time; /* intervals; ns */
	uint64_t counted[SPACE_COUNTERS_MAX], unknown[SPACE_COUNTERS_MAX];
};

/* A part of an interval: all of it, or one of several spaces, to which time and counts are divided by their lengths. */
struct space_piece {
	uint32_t experiment, thread, space;
	uint32_t
		main_space; /* what the thread was at on the whole: of functions that return or begin it is their caller's */
	uint32_t depth; /* frames from the outermost to that space's; of waits UINT32_MAX */
	bool nested;    /* it is of a function that returned or began, or of a time off the CPU at an unknown place */
	bool same_interval; /* as the thread's piece before */
	bool goes_on;       /* an earlier piece was of the same occurrence */
	uint64_t from, to;  /* ns since the founder's start */
	bool off_cpu;
	uint32_t known; /* bit i: counted[i] is known */
	uint64_t counted[SPACE_COUNTERS_MAX];
};
typedef void space_visitor(void *context, const struct space_piece *piece);

struct space_model {
	struct data *data;
	struct resolver *resolver;
	struct space_rules rules;
	struct space_counters counters; /* in the order of their counts in pieces */
	struct space_table table;
	struct code_places *places;
	struct space_private *private;
};

/* The counters are those of all experiments, by name; what one lacks is unknown there. False: there are no samples at all. */
bool space_model_begin(
	struct space_model *model, struct data *data, struct resolver *resolver, const struct space_rules *rules);
void space_model_free(struct space_model *model);
/* Visits the pieces of the intervals whose later sample the filter keeps, each thread's in the order of time. */
void space_model_visit(
	struct space_model *model, const struct event_filter *filter, space_visitor *visitor, void *context);

#endif
