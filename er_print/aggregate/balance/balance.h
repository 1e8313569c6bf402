/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of metrics by member, and the statistics of them. Each member has a row of its own behind those of a table, so that all that
   is computed from sums (trees, functions, callers, lines) has the members' sums without knowing of them. */
#ifndef BALANCE_H
#define BALANCE_H

#include "balance_members.h"
#include "event_filter.h"
#include "stack_sums.h"

/* Zero-initialised is empty. */
struct balance {
	struct metric_table table; /* the table that it was made of, and the members' rows */
	struct metric *rows;
	struct balance_members members[BALANCE_OVER_COUNT];
	bool found[BALANCE_OVER_COUNT]; /* that they were looked for */
};
/* Whether an experiment's thread counts as a member for a group, from 1 (0: for all). */
typedef bool balance_member_counts(const void *context, uint32_t group, const struct balance_member *member);

/* The members; valid until balance_forget_members(). */
const struct balance_members *balance_members(struct balance *balance, struct data *data, enum balance_over over);
/* Makes the table, whose rows share the texts of `table`'s. */
void balance_make_table(struct balance *balance, struct data *data, const struct metric_table *table,
	balance_member_counts *counts, const void *context);
void balance_forget_table(struct balance *balance);
void balance_forget_members(struct balance *balance);

/* Adds to the sums of balance->table those of the members that are wanted, which is by row. False and *error if there are too many
   members for so many stacks: then they have no sums. */
bool balance_add_sums(struct balance *balance, struct data *data, const struct event_filter *filter, const bool *wanted,
	struct stack_sums *sums, struct error *error);

/* The values of the members one after the other. Zero-initialised: of none. */
struct balance_values {
	uint64_t least, largest, sum;
	uint32_t count, least_at, largest_at; /* the place of the first that has it */
};
void balance_add_value(struct balance_values *values, uint64_t value, uint32_t place);
/* A statistic of them: a value, of the means and what comes of them rounded; 0 of none. Imbalance is the largest less the mean:
   what the run could gain if all were alike. */
uint64_t balance_result(const struct balance_values *values, enum balance_statistic statistic);
/* The imbalance that there would be if one member had the largest value and the others none. */
uint64_t balance_worst(const struct balance_values *values);

#endif
