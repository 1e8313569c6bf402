/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of balance (balance.def) by name: a table has a row for those that somebody has asked for. */
#ifndef BALANCE_NAMES_H
#define BALANCE_NAMES_H

#include "counter_metrics.h"

/* A metric's name taken apart: "totalcpu.ranks.max", or "totalcpu.ranks" for all statistics. */
struct balance_name {
	char base[64];
	enum balance_over over;
	enum balance_statistic statistic; /* BALANCE_NONE: all of them */
};
/* False if it is no such name. */
bool balance_name_read(struct balance_name *read, const char *name);
/* The words that stand behind a metric's name, for messages: ".ranks .processes .threads", ".max .maxat ...". */
extern const char balance_over_words[], balance_statistic_words[];
/* Whether a metric has a balance: it has sums of its own, and none of them is of a stack that no event has. */
bool balance_is_of(const struct metric *row);
/* Adds a row for each metric of balance that is named in a specification of metrics (metric_list.h) or is one of those that it
   means, where there is none yet. Returns how many were added. */
unsigned balance_rows_extend(struct metric_rows *rows, const char *specification);

#endif
