/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that the reports of code spaces are made of. */
#ifndef SPACE_REPORT_H
#define SPACE_REPORT_H

#include "appearances.h"
#include "session.h"
#include "space_siftings.h"

struct space_report {
	struct session *session;
	struct space_model model;
	struct space_classes classes;
	struct appearances appearances;
	struct appearance_order order;
	bool *listed;           /* by class: above the limit, or of a kind that is always listed */
	struct sifting sifting; /* of those that are listed */
};

/* False: there is nothing to report, and the session's user was told so. */
bool space_report_begin(struct space_report *report, struct session *session);
void space_report_end(struct space_report *report);

/* Reads the number of a space or phase, from 1, which is the only argument of a command. 0: it is none of `count`, and the
   session's user was told so. things: what there are so many of, "spaces". */
uint32_t space_number_argument(
	struct session *session, unsigned argc, char **argv, const char *command, const char *things, uint32_t count);

/* Why a class is listed: "weight, time"; 0: it is not. */
const char *space_why_listed(const struct space_report *report, uint32_t class);
/* Says that sums over appearances are estimates, if not all have counts; 0: all have. The table's. */
const char *space_estimates(const struct space_report *report, struct table *table);
/* Prints a table with such sums. */
void space_report_print(const struct space_report *report, struct table *table);
/* The thread of an appearance, as lists of threads call it: "Process 1, Thread 1". */
const char *space_thread_name(const struct space_report *report, struct table *table, uint32_t thread);
/* How a counter's counts are shown. */
enum column_format space_count_format(const struct space_report *report, unsigned counter);
/* Whether its rates are parts of time. */
bool space_rate_is_part(const struct space_report *report, unsigned counter);
/* The heading of a counter's rates, which says what they are by: "misses per 1000 instr.", "System CPU by Time". */
const char *space_rate_heading(const struct space_report *report, struct table *table, unsigned counter);
/* A rate as that heading has it, of one that is by instruction or nanosecond as in verdicts. */
double space_rate_shown(const struct space_report *report, unsigned counter, double rate);
void space_rate_cell(const struct space_report *report, struct cell *cell, unsigned counter, double rate);
void space_ratio_cell(struct cell *cell, double ratio);
/* "deficit", "advantage", why there is none, or "". */
const char *space_verdict_text(struct table *table, const struct space_verdict *verdict);

#endif
