/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses dimensions by their time, and divides appearances among cells. */
#include "space_series.h"
#include "phase_windows.h"
#include "storage.h"

#include <stdlib.h>

enum { CELLS_BY_INTERVAL = 4, CELLS_MOST = 1 << 16 };

static int by_time(const void *a, const void *b, void *dimensions)
{
	const struct space_dimension *all = dimensions;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return COMPARE(all[y].time, all[x].time) ?: COMPARE(x, y);
}

/* The sums of each coordinate. The caller frees them. */
static struct space_dimension *coordinate_sums(
	const struct phase_coordinates *coordinates, const struct space_classes *classes)
{
	struct space_dimension *sums = memory_new(coordinates->count, sizeof *sums);
	for (uint32_t c = 0; c < classes->count; c++) {
		struct space_dimension *own = &sums[coordinates->of[c]];
		uint64_t time = classes->classes[c].counts.time;
		if (!own->classes++ || time > classes->classes[own->class].counts.time)
			own->class = c;
		own->time += time;
	}
	return sums;
}

/* Puts a coordinate into a dimension. */
static void join(struct space_series *series, unsigned dimension, const struct space_dimension *own)
{
	struct space_dimension *into = &series->dimension[dimension];
	if (!into->classes)
		into->class = own->class;
	into->time += own->time;
	into->classes += own->classes;
}

void space_series_begin(struct space_series *series, const struct appearances *appearances,
	const struct space_classes *classes, const struct space_model *model)
{
	struct phase_coordinates coordinates;
	phase_coordinates_make(&coordinates, classes, model);
	struct space_dimension *sums = coordinate_sums(&coordinates, classes);
	uint32_t count = coordinates.count, *order = memory_new(count, sizeof *order),
		 *dimension_of = memory_new(count, sizeof *dimension_of);
	*series =
		(struct space_series){.appearances = appearances, .of = memory_new(classes->count, sizeof *series->of)};
	series->dimensions = count < SPACE_SERIES_DIMENSIONS ? count : SPACE_SERIES_DIMENSIONS;
	for (uint32_t c = 0; c < count; c++)
		order[c] = c;
	if (count)
		qsort_r(order, count, sizeof *order, by_time, sums);
	for (uint32_t c = 0; c < count; c++) {
		dimension_of[order[c]] = c < series->dimensions ? c : series->dimensions - 1;
		join(series, dimension_of[order[c]], &sums[order[c]]);
	}
	for (uint32_t c = 0; c < classes->count; c++)
		series->of[c] = dimension_of[coordinates.of[c]];
	free(order);
	free(dimension_of);
	free(sums);
	phase_coordinates_free(&coordinates);
}

void space_series_end(struct space_series *series)
{
	free(series->of);
}

/* Adds the time from `from` to `to`, in cells, each cell's part of it. */
static void divide(double *row, uint32_t count, double from, double to)
{
	for (uint32_t cell = (uint32_t)from; cell < count && cell < to; cell++) {
		double begin = cell > from ? cell : from, end = cell + 1 < to ? cell + 1 : to;
		row[cell] += end - begin;
	}
}

struct series space_series_of(const struct space_series *series, uint32_t thread)
{
	const struct space_thread *own = &series->appearances->threads[thread];
	const struct appearance *first = &series->appearances->all[own->first];
	struct series made = {.dimensions = series->dimensions};
	uint64_t intervals = 0, to = 0;
	for (uint32_t i = 0; i < own->count; i++) {
		intervals += first[i].intervals;
		to = first[i].to > to ? first[i].to : to;
	}
	made.from = own->count ? first->from : 0;
	uint64_t range = to > made.from ? to - made.from : 0;
	intervals *= CELLS_BY_INTERVAL;
	intervals = intervals < CELLS_MOST ? intervals : CELLS_MOST;
	made.count = (uint32_t)(intervals < range ? intervals : range);
	made.values = memory_new((size_t)made.count * made.dimensions, sizeof *made.values);
	if (!made.count)
		return made;
	made.cell = (double)range / made.count;
	for (uint32_t i = 0; i < own->count; i++)
		divide(series_row(&made, series->of[first[i].class]), made.count,
			(double)(first[i].from - made.from) / made.cell, (double)(first[i].to - made.from) / made.cell);
	return made;
}
