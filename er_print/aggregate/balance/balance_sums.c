/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by member and stack: metrics add by stack, so each pair of a member and a stack gets a number that stands in the stack's
   place. Events of no member get those behind the last one's. */
#include "balance.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of sums that members of one metric may have. */
#define SUMS_MAX (2ull << 30)

struct pass {
	struct data *data;
	const struct metric_table *metrics;
	struct stack_sums *sums;
	const struct balance_members *members;
	const struct metric_balance *balance; /* of the row that is summed */
	uint32_t *slot;              /* by member: its place among those that count; their count if it does not */
	bool *seen;                  /* by slot: it has events that are kept */
	uint32_t *key, key_capacity; /* of the events of a batch */
	uint64_t *flat;              /* [slot * stack_count + stack] */
	uint64_t events;
	const struct metric *row;
};

static size_t flat_size(const struct pass *pass)
{
	return ((size_t)pass->balance->count + 1) * pass->sums->stack_count;
}

static uint32_t slot_of(const struct pass *pass, uint32_t experiment, uint32_t thread)
{
	uint32_t member = balance_member_of(pass->members, experiment, thread);
	return member == NO_NUMBER ? pass->balance->count : pass->slot[member];
}

static const uint32_t *keys_of(void *context, enum kind kind, const struct data_batch *batch)
{
	struct pass *pass = context;
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments), slot = 0, last = 0;
	(void)kind;
	if (batch->count > pass->key_capacity) {
		pass->key_capacity = batch->count;
		pass->key = memory_resize(pass->key, batch->count, sizeof *pass->key);
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		if (!i || batch->thread[i] != last)
			slot = slot_of(pass, experiment, batch->thread[i]);
		last = batch->thread[i];
		pass->seen[slot] = true;
		pass->key[i] = slot * pass->sums->stack_count + batch->stack[i];
	}
	return pass->key;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	struct data_batch by_member = *batch;
	by_member.stack = keys_of(pass, pass->row->kind, batch);
	pass->events += pass->row->add(pass->flat, &by_member, pass->row);
}

/* One call of a pass adds for several metrics: those beside the one that is summed add to sums that nobody reads. */
static void run_pass(struct pass *pass, const struct event_filter *filter)
{
	const struct metric_keys keys = {pass, keys_of};
	uint64_t **of = memory_new(pass->metrics->count, sizeof *of), *beside = 0;
	unsigned count = 0;
	for (unsigned m = 0; m < pass->metrics->count; m++) {
		const struct metric *row = &pass->metrics->rows[m];
		if (!row->pass || !metric_same_pass(row, pass->row))
			continue;
		if (row != pass->row && !beside)
			beside = memory_new(flat_size(pass), sizeof *beside);
		of[count++] = row == pass->row ? pass->flat : beside;
	}
	pass->row->pass(pass->data, filter, &keys, of, &pass->events);
	free(beside);
	free(of);
}

/* A filter by processes or threads chooses members: those of which it keeps nothing do not count. Others leave all in, like one by
   functions, which a member may not have called. */
static bool chooses_members(const struct event_filter *filter)
{
	bool chooses = expression_tells_members(filter->expression);
	for (unsigned part = 0; part < filter->part_count; part++)
		chooses |= expression_tells_members(filter->parts[part]);
	return chooses;
}

static void share_out(struct pass *pass, bool chosen)
{
	size_t stacks = pass->sums->stack_count;
	for (unsigned slot = 0; slot < pass->balance->count; slot++) {
		unsigned row = pass->balance->first + slot;
		if (chosen && !pass->seen[slot])
			continue;
		pass->sums->of[row] = memory_new(stacks, sizeof **pass->sums->of);
		memcpy(pass->sums->of[row], pass->flat + slot * stacks, stacks * sizeof *pass->flat);
		for (size_t stack = 0; stack < stacks; stack++)
			pass->sums->total[row] += pass->sums->of[row][stack];
	}
}

static void sum_members(struct pass *pass, const struct event_filter *filter)
{
	struct event_filter of_group = event_filter_of_group(filter, pass->row->group);
	pass->slot = memory_new(pass->members->count, sizeof *pass->slot);
	for (uint32_t m = 0; m < pass->members->count; m++)
		pass->slot[m] = pass->balance->count;
	for (unsigned slot = 0; slot < pass->balance->count; slot++)
		pass->slot[pass->metrics->rows[pass->balance->first + slot].balance.member - 1] = slot;
	pass->seen = memory_new(pass->balance->count + 1, sizeof *pass->seen);
	pass->flat = memory_new(flat_size(pass), sizeof *pass->flat);
	if (pass->row->add)
		event_filter_visit(pass->data, pass->row->kind, &of_group, add_batch, pass);
	else
		run_pass(pass, &of_group);
	share_out(pass, chooses_members(&of_group));
	free(pass->flat);
	free(pass->seen);
	free(pass->slot);
}

static bool too_large(const struct pass *pass, struct error *error)
{
	if (flat_size(pass) * sizeof *pass->flat <= SUMS_MAX)
		return false;
	error_set(error, "the balance of %s: %u members with %u stacks are too many: choose some of them with filters",
		pass->row->name, pass->balance->count, pass->sums->stack_count);
	return true;
}

bool balance_add_sums(struct balance *balance, struct data *data, const struct event_filter *filter, const bool *wanted,
	struct stack_sums *sums, struct error *error)
{
	const struct metric_table *table = &balance->table;
	struct pass pass = {.data = data, .metrics = table, .sums = sums};
	bool good = true;
	for (unsigned m = 0; m < table->count; m++) {
		const struct metric_balance *of = &table->rows[m].balance;
		if (!of->statistic || !of->count || !wanted[m] || sums->of[of->first] || !sums->recorded[of->base])
			continue;
		pass.row = &table->rows[of->base];
		pass.balance = of;
		pass.members = &balance->members[of->over];
		if (too_large(&pass, error))
			good = false;
		else
			sum_members(&pass, filter);
	}
	free(pass.key);
	return good;
}
