/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads conditions on changes, and tests rows. */
#include "change_condition.h"
#include "functions_view.h"
#include "list_view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.01 /* of Holm's test: the chance that any row at all is named wrongly */

static bool bad(struct error *error, const char *text, const char *why)
{
	return error_set(error, "Invalid argument to command: fail_if %s: %s", text, why);
}

/* The metric, before the sign of comparison. */
static bool read_metric(struct session *session, struct change_condition *condition, const char *text, size_t length,
	struct error *error)
{
	struct metric_list list;
	struct error left_out;
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	char *name = strndup(text, length);
	struct metric_context context = session_metrics_for(session, name);
	bool good = metric_list_parse(&list, name, &context, &left_out, error);
	free(name);
	if (!good)
		return false;
	condition->item = list.items[0];
	if (list.count != 2 || !metric_item_is_own(&condition->item) || !condition->item.show)
		return bad(error, text, "one metric, exclusive or inclusive, stands before > or <");
	return true;
}

/* "+5%" or "-0.5" after > or <; blanks may stand around it. */
static bool read_amount(struct session *session, struct change_condition *condition, const char *text,
	const char *number, struct error *error)
{
	char *end;
	double amount = strtod(number, &end);
	if (end == number || !isfinite(amount) || (condition->less ? amount > 0 : amount < 0))
		return bad(error, text, "> takes an increase like +5% or +0.5, < a decrease like -5%");
	condition->absolute = *end != '%';
	end += *end == '%';
	if (end[strspn(end, " \t")])
		return bad(error, text, "nothing stands after the change");
	condition->amount = fabs(amount);
	const struct metric *row = &session_table(session)->rows[condition->item.metric];
	if (!condition->absolute)
		condition->amount /= 100;
	else if (row->unit == METRIC_NANOSECONDS)
		condition->amount *= 1e9;
	else if (row->unit == METRIC_DECIMAL)
		condition->amount *= 1e6;
	else if (row->unit == METRIC_CYCLES && condition->item.show & SHOW_TIME)
		condition->amount *= 1e3 * (double)row->rate;
	return true;
}

bool change_condition_parse(
	struct session *session, struct change_condition *condition, const char *text, struct error *error)
{
	size_t length = strcspn(text, "<>");
	*condition = (struct change_condition){.less = text[length] == '<'};
	if (!text[length])
		return bad(error, text, "it must be METRIC > +CHANGE or METRIC < -CHANGE, as in i.totalcpu > +5%");
	return read_metric(session, condition, text, length, error) &&
	       read_amount(session, condition, text, text + length + 1, error);
}

static void judge(const struct change_condition *condition, struct changed_row *row)
{
	double before = row->before.value * row->before.scale;
	double change = difference_of(&row->before, &row->after) * (condition->less ? -1 : 1);
	double error = difference_error(&row->before, &row->after);
	row->beyond = change > (condition->absolute ? condition->amount : condition->amount * before);
	row->deviations = error > 0 ? change / error : 0;
}

static void test(struct changed_row *rows, size_t count)
{
	double *probabilities = memory_new(count, sizeof *probabilities);
	bool *rejected = memory_new(count, sizeof *rejected);
	for (size_t i = 0; i < count; i++)
		probabilities[i] = normal_above(rows[i].deviations);
	holm(probabilities, rejected, count, LEVEL);
	for (size_t i = 0; i < count; i++) {
		bool sampled = rows[i].before.sample > 0 || rows[i].after.sample > 0;
		rows[i].meets = rows[i].beyond && (!sampled || rejected[i]);
	}
	free(probabilities);
	free(rejected);
}

struct changed_row *change_condition_rows(
	struct session *session, const struct change_condition *condition, size_t *count)
{
	size_t function_count, capacity = 0;
	struct changed_row *rows = 0;
	uint32_t *functions = functions_in_order(session, &function_count);
	const struct key_sums *sums = session_functions(session);
	*count = 0;
	for (size_t f = 0; f < function_count; f++)
		for (unsigned g = 1; functions[f] != FUNCTION_COLLECTOR && g < session_groups(session); g++) {
			struct metric_values values = {
				.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = functions[f]};
			if (functions[f] == FUNCTION_TOTAL)
				values = total_values(session);
			struct changed_row row = {.function = functions[f],
				.group = g,
				.before = compared_sum(session, &values, &condition->item, 0),
				.after = compared_sum(session, &values, &condition->item, g)};
			if (!(row.before.value > 0 || row.after.value > 0))
				continue;
			judge(condition, &row);
			memory_reserve(rows, *count, capacity);
			rows[(*count)++] = row;
		}
	free(functions);
	if (*count)
		test(rows, *count);
	return rows;
}

double change_deviations_needed(size_t rows)
{
	return normal_deviations(LEVEL / (double)(rows ? rows : 1));
}
