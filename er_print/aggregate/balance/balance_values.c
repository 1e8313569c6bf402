/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the values of members. */
#include "balance.h"

void balance_add_value(struct balance_values *values, uint64_t value, uint32_t place)
{
	if (!values->count || value < values->least) {
		values->least = value;
		values->least_at = place;
	}
	if (!values->count || value > values->largest) {
		values->largest = value;
		values->largest_at = place;
	}
	values->sum += value;
	values->count++;
}

static uint64_t mean_of(const struct balance_values *values)
{
	return values->count ? (values->sum + values->count / 2) / values->count : 0;
}

uint64_t balance_result(const struct balance_values *values, enum balance_statistic statistic)
{
	switch (statistic) {
	case BALANCE_min:
		return values->least;
	case BALANCE_minat:
		return values->least_at;
	case BALANCE_mean:
		return mean_of(values);
	case BALANCE_max:
		return values->largest;
	case BALANCE_maxat:
		return values->largest_at;
	case BALANCE_imbalance:
		return values->largest - mean_of(values);
	case BALANCE_NONE:
	case BALANCE_STATISTIC_COUNT:
		break;
	}
	return 0;
}

uint64_t balance_worst(const struct balance_values *values)
{
	struct balance_values one = {.largest = values->largest, .sum = values->largest, .count = values->count};
	return balance_result(&one, BALANCE_imbalance);
}
