/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and makes the names of metrics of balance. */
#include "balance_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *word, *title, *one;
} overs[BALANCE_OVER_COUNT] = {
#define OVER(word, title, one) [BALANCE_##word] = {#word, title, one},
#include "balance.def"
};
static const struct {
	const char *word, *title;
} statistics[BALANCE_STATISTIC_COUNT] = {
#define STATISTIC(word, title) [BALANCE_##word] = {#word, title},
#include "balance.def"
};

/* clang-format off */
const char balance_over_words[] =
#define OVER(word, title, one) " ." #word
#include "balance.def"
	;
const char balance_statistic_words[] =
#define STATISTIC(word, title) " ." #word
#include "balance.def"
	;
/* clang-format on */

/* The part of a name before ".word", as far as `length`; its length, 0 if it does not end so. */
static size_t before_word(const char *name, size_t length, const char *word)
{
	size_t own = strlen(word);
	bool ends = length > own + 1 && name[length - own - 1] == '.' && !strncasecmp(name + length - own, word, own);
	return ends ? length - own - 1 : 0;
}

bool balance_name_read(struct balance_name *read, const char *name)
{
	size_t length = strlen(name);
	read->statistic = BALANCE_NONE;
	for (enum balance_statistic s = BALANCE_NONE + 1; s < BALANCE_STATISTIC_COUNT && !read->statistic; s++) {
		size_t before = before_word(name, length, statistics[s].word);
		if (before) {
			read->statistic = s;
			length = before;
		}
	}
	for (enum balance_over over = 0; over < BALANCE_OVER_COUNT; over++) {
		size_t before = before_word(name, length, overs[over].word);
		if (!before || before >= sizeof read->base)
			continue;
		memcpy(read->base, name, before);
		read->base[before] = 0;
		read->over = over;
		return true;
	}
	return false;
}

bool balance_is_of(const struct metric *row)
{
	return (row->add || row->pass) && !metric_own_stacks(row);
}

static unsigned add_statistic(struct metric_rows *rows, const struct balance_name *name, unsigned base)
{
	const struct metric *of = &rows->table.rows[base];
	char own[128];
	snprintf(own, sizeof own, "%s.%s.%s", of->name, overs[name->over].word, statistics[name->statistic].word);
	if (metric_find(&rows->table, own) >= 0)
		return 0;
	struct metric row = {.name = strdup(own),
		.unit = balance_is_place(name->statistic) ? METRIC_COUNT : of->unit,
		.kind = of->kind,
		.initial = "",
		.numerator = -1,
		.denominator = -1,
		.rate = of->rate,
		.balance = {.statistic = name->statistic, .over = name->over, .base = base}};
	const char *statistic = statistics[name->statistic].title;
	if (balance_is_place(name->statistic))
		snprintf(own, sizeof own, "%s, %s of %s", of->title, overs[name->over].one, statistic);
	else
		snprintf(own, sizeof own, "%s, %s of %s", of->title, statistic, overs[name->over].title);
	row.title = strdup(own);
	metric_rows_add(rows, &row);
	return 1;
}

static unsigned add_named(struct metric_rows *rows, const char *text)
{
	struct balance_name name;
	if (!balance_name_read(&name, text))
		return 0;
	int base = metric_find(&rows->table, name.base);
	if (base < 0 || !balance_is_of(&rows->table.rows[base]))
		return 0;
	if (name.statistic)
		return add_statistic(rows, &name, (unsigned)base);
	unsigned added = 0;
	for (enum balance_statistic s = BALANCE_NONE + 1; s < BALANCE_STATISTIC_COUNT; s++) {
		name.statistic = s;
		added += add_statistic(rows, &name, (unsigned)base);
	}
	return added;
}

unsigned balance_rows_extend(struct metric_rows *rows, const char *specification)
{
	unsigned added = 0;
	for (const char *at = specification; at && *at;) {
		char keyword[160];
		size_t length = strcspn(at, ":");
		snprintf(keyword, sizeof keyword, "%.*s", length < sizeof keyword ? (int)length : 0, at);
		const char *name = keyword + (*keyword == '-');
		size_t flavours = strspn(name, "eiadEIAD"), marks = strspn(name + flavours, ".+%!");
		added += add_named(rows, marks ? name + flavours + marks : name);
		at += length + (at[length] == ':');
	}
	return added;
}
