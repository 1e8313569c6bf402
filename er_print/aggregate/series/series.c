/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on a series as a whole. */
#include "series.h"
#include "storage.h"

#include <math.h>

struct series series_halved(const struct series *series)
{
	struct series half = *series;
	half.count = series->count / 2;
	half.cell = series->cell * 2;
	half.values = memory_new((size_t)half.count * half.dimensions, sizeof *half.values);
	for (unsigned d = 0; d < half.dimensions; d++) {
		const double *from = series_row(series, d);
		double *to = series_row(&half, d);
		for (uint32_t i = 0; i < half.count; i++)
			to[i] = (from[2 * (uint64_t)i] + from[2 * (uint64_t)i + 1]) / 2;
	}
	return half;
}

bool series_standardise(struct series *series)
{
	const double rounding = 1e-18;
	double variance = 0, squares = 0;
	for (unsigned d = 0; d < series->dimensions; d++) {
		double *row = series_row(series, d), mean = 0;
		for (uint32_t i = 0; i < series->count; i++)
			mean += row[i] / series->count;
		for (uint32_t i = 0; i < series->count; i++) {
			squares += row[i] * row[i];
			row[i] -= mean;
			variance += row[i] * row[i];
		}
	}
	bool varies = variance > rounding * squares;
	double scale = varies ? sqrt(series->count / variance) : 1;
	for (uint64_t i = 0; varies && i < (uint64_t)series->count * series->dimensions; i++)
		series->values[i] *= scale;
	return varies;
}
