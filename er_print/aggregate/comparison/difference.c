/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard errors, and the test of many differences at once. */
#include "difference.h"
#include "search.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>

static double variance(const struct sampled_sum *sum)
{
	double samples = sum->sample > 0 ? sum->value / sum->sample : 0;
	if (sum->share && sum->total > 0)
		samples *= fmax(0, 1 - sum->value / sum->total);
	return samples * sum->sample * sum->scale * sum->sample * sum->scale;
}

double difference_of(const struct sampled_sum *before, const struct sampled_sum *after)
{
	return after->value * after->scale - before->value * before->scale;
}

double difference_error(const struct sampled_sum *before, const struct sampled_sum *after)
{
	return sqrt(variance(before) + variance(after));
}

bool difference_within_error(const struct sampled_sum *before, const struct sampled_sum *after)
{
	double by = fabs(difference_of(before, after)), error = difference_error(before, after);
	return by > 0 && by <= 2 * error;
}

double normal_above(double deviations)
{
	return erfc(deviations / sqrt(2)) / 2;
}

double normal_deviations(double probability)
{
	double low = 0, high = 40;
	while (high - low > 1e-9) {
		double middle = (low + high) / 2;
		if (normal_above(middle) > probability)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct ranked_probability {
	double probability;
	size_t place;
};

static int by_probability(const void *left, const void *right)
{
	const struct ranked_probability *a = left, *b = right;
	return COMPARE(a->probability, b->probability) ?: COMPARE(a->place, b->place);
}

void holm(const double *probabilities, bool *rejected, size_t count, double level)
{
	struct ranked_probability *ranked = memory_new(count, sizeof *ranked);
	for (size_t i = 0; i < count; i++) {
		ranked[i] = (struct ranked_probability){probabilities[i], i};
		rejected[i] = false;
	}
	if (count)
		qsort(ranked, count, sizeof *ranked, by_probability);
	for (size_t i = 0; i < count && ranked[i].probability <= level / (double)(count - i); i++)
		rejected[ranked[i].place] = true;
	free(ranked);
}
