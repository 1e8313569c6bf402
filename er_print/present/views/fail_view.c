/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command fail_if: names the functions that changed too much, and makes the exit status of er_print say so. */
#include "change_condition.h"
#include "command_functions.h"
#include "list_view.h"

#include <math.h>
#include <stdlib.h>

enum { STATUS_CHANGED = 4 };

static void add_row(struct session *session, struct table *table, const struct metric_list *list, uint32_t function)
{
	const struct key_sums *sums = session_functions(session);
	struct metric_values values = {
		.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = function, .function = function};
	if (function == FUNCTION_TOTAL)
		values = total_values(session);
	const char *name = function == FUNCTION_TOTAL ? "<Total>" : session_function_name(session, table, function);
	metric_columns_fill(session, table_row(table, ROW_PLAIN), list, &values, name);
}

static double samples_of(const struct sampled_sum *sum)
{
	return sum->sample > 0 ? sum->total / sum->sample : 0;
}

static double fewest_samples(const struct changed_row *row)
{
	return fmin(samples_of(&row->before), samples_of(&row->after));
}

/* Deviations grow with the root of the number of samples. */
static double samples_needed(const struct changed_row *row, double deviations, size_t rows)
{
	double factor = change_deviations_needed(rows) / deviations;
	return ceil(fewest_samples(row) * factor * factor / 100) * 100;
}

/* Rows that went beyond, and that sampling may have made. */
static void note_uncertain(struct table *table, const struct changed_row *rows, size_t count)
{
	const struct changed_row *most = 0;
	size_t uncertain = 0;
	for (size_t i = 0; i < count; i++)
		if (rows[i].beyond && !rows[i].meets) {
			uncertain++;
			if (rows[i].deviations > 0 && (!most || rows[i].deviations > most->deviations))
				most = &rows[i];
		}
	if (most)
		table_footnote(
			table, table_text(table,
				       "%zu more changed by as much, but sampling alone may have made that: %.0f "
				       "samples a run "
				       "would tell, and there are %.0f",
				       uncertain, samples_needed(most, most->deviations, count), fewest_samples(most)));
}

/* The row with the most that is not <Total>: if even there the amount could not be told, nowhere can it. */
static void note_too_few(struct session *session, struct table *table, const struct change_condition *condition,
	const struct changed_row *rows, size_t count)
{
	const struct changed_row *most = 0;
	for (size_t i = 0; i < count; i++)
		if (rows[i].function != FUNCTION_TOTAL && rows[i].before.sample > 0 &&
			(!most || rows[i].before.value > most->before.value))
			most = &rows[i];
	if (!most || condition->absolute || condition->amount <= 0)
		return;
	struct sampled_sum changed = most->before;
	changed.value *= condition->less ? 1 - condition->amount : 1 + condition->amount;
	double error = difference_error(&most->before, &changed);
	double deviations = error > 0 ? fabs(difference_of(&most->before, &changed)) / error : 0;
	if (deviations <= 0 || deviations >= change_deviations_needed(count))
		return;
	table_footnote(table,
		table_text(table,
			"Too few samples to tell such a change even of %s: it takes %.0f a run, and there are %.0f",
			session_function_name(session, table, most->function), samples_needed(most, deviations, count),
			fewest_samples(most)));
}

static size_t print(struct session *session, const struct change_condition *condition, const char *text,
	const struct changed_row *rows, size_t count)
{
	struct table table = {0};
	struct metric_list list = {.count = 2};
	size_t met = 0;
	list.items[0] = condition->item;
	list.items[1] = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
	for (size_t i = 0; i < count; i++)
		met += rows[i].meets && (!i || rows[i - 1].function != rows[i].function || !rows[i - 1].meets);
	table_preamble(&table, table_text(&table, "Functions with %s: %zu of %zu", text, met, count));
	table_preamble(&table, "");
	metric_columns_add(session, &table, &list, &condition->item, COLUMN_TEXT, "Name");
	uint32_t last = NO_KEY;
	for (size_t i = 0; i < count; i++) {
		if (rows[i].meets && rows[i].function != last)
			add_row(session, &table, &list, rows[i].function);
		last = rows[i].meets ? rows[i].function : last;
	}
	note_uncertain(&table, rows, count);
	note_too_few(session, &table, condition, rows, count);
	session_print(session, &table);
	return met;
}

/* Whoever asks by an exit status must not take an error for a good answer, wherever the command stands. */
static bool fail(struct session *session, const char *text)
{
	session->status = session->status ? session->status : 1;
	return session_error(session, "%s", text);
}

bool command_fail_if(struct session *session, unsigned argc, char **argv)
{
	struct change_condition condition;
	struct error error;
	size_t count;
	if (!argc)
		return fail(session, "fail_if needs a condition, as in fail_if i.totalcpu > +5%");
	if (session_groups(session) == 1)
		return fail(session,
			"fail_if has nothing to compare: load two experiments and say compare delta before it");
	if (!change_condition_parse(session, &condition, argv[0], &error))
		return fail(session, error.text);
	struct changed_row *rows = change_condition_rows(session, &condition, &count);
	if (print(session, &condition, argv[0], rows, count) && !session->status)
		session->status = STATUS_CHANGED;
	free(rows);
	return true;
}
