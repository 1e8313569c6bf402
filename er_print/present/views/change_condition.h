/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A condition on changes, "i.totalcpu > +5%", and which rows of the functions meet it. */
#ifndef CHANGE_CONDITION_H
#define CHANGE_CONDITION_H

#include "compared_cells.h"

struct change_condition {
	struct metric_item item;
	bool less;     /* "<": it is about values that became less */
	double amount; /* how far the change must go beyond, more than 0 or 0: a fraction of the first group's value, or: */
	bool absolute; /* an amount in the unit of the sums */
};
/* Reads it. False and *error if it is bad, or its metric was not recorded. */
bool change_condition_parse(
	struct session *session, struct change_condition *condition, const char *text, struct error *error);

/* A row of the functions in one group beside the first. */
struct changed_row {
	uint32_t function; /* FUNCTION_TOTAL: <Total> */
	unsigned group;
	struct sampled_sum before, after;
	bool beyond;       /* the change goes beyond the amount */
	double deviations; /* standard errors between the two in the condition's direction; 0: it is not sampled */
	bool meets; /* and is none that sampling makes: Holm's test at 1 % over all rows, where the metric is sampled */
};
/* All rows that have a value, by function and group; not <collector>, which is no work of the program. The caller frees them. */
struct changed_row *change_condition_rows(
	struct session *session, const struct change_condition *condition, size_t *count);

/* How many standard errors a change needs to be told from what sampling makes, among so many rows. */
double change_deviations_needed(size_t rows);

#endif
