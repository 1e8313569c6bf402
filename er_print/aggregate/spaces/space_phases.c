/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins windows to phases, gives appearances to them, and sums the phases up. */
#include "space_phases.h"
#include "phase_paths.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>

/* A window in which one of n intervals is of other code is 1/n away from one in which none is, by the square of Hellinger's
   distance; windows of both kinds have a variance of 1/4n at most. No phases differ by that alone. */
static double variance_by_chance(const struct phase_window *window)
{
	return 1 / (4 * fmax(window->intervals, 1));
}

/* Sums of a phase beside its times. */
struct summing {
	struct space_phase phase;
	uint32_t old, last_thread;
	uint64_t *times; /* by class: ns */
};

static void add_appearance(
	struct summing *sums, const struct appearances *all, uint32_t appearance, uint64_t stretch, bool goes_on)
{
	const struct appearance *own = &all->all[appearance];
	struct space_phase *phase = &sums->phase;
	if (!phase->stretches || own->from < all->all[phase->first].from)
		phase->first = appearance;
	phase->stretches += !goes_on;
	phase->threads += own->thread != sums->last_thread;
	sums->last_thread = own->thread;
	phase->longest = stretch > phase->longest ? stretch : phase->longest;
	phase->time += own->to - own->from;
	uint64_t *time = &sums->times[own->class];
	*time += own->to - own->from;
}

static int by_time(const void *a, const void *b)
{
	const struct space_phase *x = &((const struct summing *)a)->phase, *y = &((const struct summing *)b)->phase;
	return COMPARE(y->time, x->time) ?: COMPARE(x->first, y->first);
}

static void find_heaviest(struct summing *sums, uint32_t classes)
{
	for (uint32_t c = 0; c < classes; c++)
		if (sums->times[c] > sums->phase.heaviest_time) {
			sums->phase.heaviest = c;
			sums->phase.heaviest_time = sums->times[c];
		}
	free(sums->times);
}

static void sum_up(struct space_phases *phases, const struct appearances *appearances, uint32_t classes)
{
	struct summing *sums = memory_new(phases->count, sizeof *sums);
	uint32_t *place = memory_new(phases->count, sizeof *place);
	uint64_t began = 0;
	for (uint32_t p = 0; p < phases->count; p++)
		sums[p] = (struct summing){
			.old = p, .last_thread = NO_NUMBER, .times = memory_new(classes, sizeof *sums->times)};
	for (uint32_t i = 0; i < appearances->count; i++) {
		bool goes_on = space_phase_goes_on(phases, appearances, i);
		began = goes_on ? began : appearances->all[i].from;
		add_appearance(&sums[phases->of[i]], appearances, i, appearances->all[i].to - began, goes_on);
	}
	qsort(sums, phases->count, sizeof *sums, by_time);
	for (uint32_t p = 0; p < phases->count; p++) {
		place[sums[p].old] = p;
		find_heaviest(&sums[p], classes);
		phases->phases[p] = sums[p].phase;
	}
	for (uint32_t i = 0; i < appearances->count; i++)
		phases->of[i] = place[phases->of[i]];
	free(place);
	free(sums);
}

/* The times of the windows of each phase by coordinate, in windows. The caller frees them. */
static double *times_of(const struct vector_clusters *clusters, const struct cluster_vectors *vectors)
{
	double *times = memory_new((size_t)clusters->count * vectors->coordinates, sizeof *times);
	for (uint32_t v = 0; v < vectors->count; v++)
		for (size_t p = vectors->first[v]; p < vectors->first[v + 1]; p++) {
			const struct vector_part *part = &vectors->parts[p];
			times[(size_t)clusters->of[v] * vectors->coordinates + part->coordinate] +=
				vectors->weight[v] * part->value * part->value;
		}
	return times;
}

void space_phases_find(struct space_phases *phases, const struct appearances *appearances,
	const struct space_classes *classes, const struct space_model *model)
{
	struct phase_coordinates coordinates;
	struct cluster_vectors vectors;
	struct vector_clusters clusters;
	struct phase_window window = phase_window_choose(appearances, classes, model);
	*phases = (struct space_phases){.phases = memory_new(SPACE_PHASES_MOST, sizeof *phases->phases),
		.of = memory_new(appearances->count, sizeof *phases->of),
		.window = window.length};
	phase_coordinates_make(&coordinates, classes, model);
	phase_windows_read(&vectors, appearances, &coordinates, phases->window);
	if (vectors.count) {
		vector_clusters_find(&clusters, &vectors, variance_by_chance(&window), SPACE_PHASES_MOST);
		double *times = times_of(&clusters, &vectors);
		phases->count = clusters.count;
		phase_paths_find(phases, appearances, &coordinates, times);
		sum_up(phases, appearances, classes->count);
		free(times);
		vector_clusters_free(&clusters);
	}
	phase_windows_free(&vectors);
	phase_coordinates_free(&coordinates);
}

void space_phases_free(struct space_phases *phases)
{
	free(phases->phases);
	free(phases->of);
}
