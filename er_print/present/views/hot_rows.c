/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks rows by their share of the largest value. */
#include "hot_rows.h"
#include "compared_cells.h"

static bool counts(const struct metric_item *item)
{
	return metric_item_is_own(item) && item->show;
}

/* A row's largest value of an item: over the groups, where they are compared. */
static uint64_t largest_of(struct session *session, const struct metric_values *values, const struct metric_item *item)
{
	uint64_t largest = 0;
	for (unsigned g = 0; g < session_groups(session); g++) {
		struct metric_item own = compared_item(session, item, g);
		uint64_t value = metric_value_of(session_sums(session), values, &own).number;
		largest = value > largest ? value : largest;
	}
	return largest;
}

uint64_t *hot_limits(struct session *session, const struct key_sums *sums)
{
	uint64_t *limits = memory_new(METRIC_ITEMS_MAX, sizeof *limits);
	struct metric_values values = {.exclusive = sums->exclusive, .inclusive = sums->inclusive, .function = NO_KEY};
	for (unsigned i = 0; i < session->metrics.count; i++) {
		const struct metric_item *item = &session->metrics.items[i];
		for (values.index = 0; counts(item) && values.index < sums->key_count; values.index++) {
			uint64_t value = largest_of(session, &values, item);
			limits[i] = value > limits[i] ? value : limits[i];
		}
	}
	return limits;
}

bool is_hot(struct session *session, unsigned percent, const uint64_t *limits, const struct metric_values *values)
{
	for (unsigned i = 0; i < session->metrics.count; i++) {
		const struct metric_item *item = &session->metrics.items[i];
		if (!counts(item) || !limits[i])
			continue;
		double value = (double)largest_of(session, values, item);
		if (value > 0 && value * 100 >= (double)limits[i] * percent)
			return true;
	}
	return false;
}
