/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table with rows of members. */
#include "balance.h"
#include "storage.h"

#include <stdlib.h>

const struct balance_members *balance_members(struct balance *balance, struct data *data, enum balance_over over)
{
	if (!balance->found[over])
		balance->members[over] = balance_members_find(data, over);
	balance->found[over] = true;
	return &balance->members[over];
}

struct maker {
	struct balance *balance;
	unsigned capacity;
	balance_member_counts *counts;
	const void *context;
};

static unsigned add_row(struct maker *maker, const struct metric *row)
{
	struct metric_table *table = &maker->balance->table;
	memory_reserve(maker->balance->rows, table->count, maker->capacity);
	maker->balance->rows[table->count] = *row;
	table->rows = maker->balance->rows;
	return table->count++;
}

static unsigned add_members(struct maker *maker, unsigned row, const struct balance_members *members)
{
	const struct metric of = maker->balance->rows[row];
	const struct metric base = maker->balance->rows[of.balance.base];
	unsigned count = 0;
	for (uint32_t m = 0; m < members->count; m++) {
		if (!maker->counts(maker->context, of.group, &members->all[m]))
			continue;
		struct metric own = {.name = base.name,
			.title = base.title,
			.unit = base.unit,
			.kind = base.kind,
			.initial = "",
			.numerator = -1,
			.denominator = -1,
			.rate = base.rate,
			.group = of.group,
			.balance = {.over = of.balance.over, .base = of.balance.base, .member = m + 1}};
		add_row(maker, &own);
		count++;
	}
	return count;
}

/* The row before that has the same members; itself if there is none. */
static unsigned same_members(const struct metric *rows, unsigned row)
{
	unsigned same = 0;
	while (!rows[same].balance.statistic || rows[same].balance.over != rows[row].balance.over ||
		rows[same].balance.base != rows[row].balance.base)
		same++;
	return same;
}

void balance_make_table(struct balance *balance, struct data *data, const struct metric_table *table,
	balance_member_counts *counts, const void *context)
{
	struct maker maker = {.balance = balance, .counts = counts, .context = context};
	for (unsigned m = 0; m < table->count; m++)
		add_row(&maker, &table->rows[m]);
	for (unsigned m = 0; m < table->count; m++) {
		if (!table->rows[m].balance.statistic)
			continue;
		balance->rows[m].rate = table->rows[table->rows[m].balance.base].rate;
		unsigned same = same_members(balance->rows, m), first = balance->table.count;
		if (same < m) {
			balance->rows[m].balance = balance->rows[same].balance;
			balance->rows[m].balance.statistic = table->rows[m].balance.statistic;
			continue;
		}
		unsigned count = add_members(&maker, m, balance_members(balance, data, table->rows[m].balance.over));
		balance->rows[m].balance.first = first;
		balance->rows[m].balance.count = count;
	}
}

void balance_forget_table(struct balance *balance)
{
	free(balance->rows);
	balance->rows = 0;
	balance->table = (struct metric_table){.rows = 0};
}

void balance_forget_members(struct balance *balance)
{
	for (enum balance_over over = 0; over < BALANCE_OVER_COUNT; over++) {
		balance_members_free(&balance->members[over]);
		balance->found[over] = false;
	}
}
