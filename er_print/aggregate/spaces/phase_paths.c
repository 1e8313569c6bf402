/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the most likely paths of the threads through the phases. */
#include "phase_paths.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOVES_MOST = 20 + SPACE_PHASES_MOST,
	STILL = 1 << 20 /* phases are where they belong if one of so many appearances moves */
};

/* How the cheapest ways to the phases of an appearance go: bit p: from phase p to itself; else from `from`. */
struct step {
	uint32_t stays;
	uint32_t from;
};
struct finding {
	struct space_phases *phases;
	const struct appearances *appearances;
	const struct phase_coordinates *coordinates;
	double *times;
	double *all;        /* by coordinate: the part of all time */
	double *costs;      /* [coordinate * SPACE_PHASES_MOST + phase]: of a ns */
	struct step *steps; /* by appearance of a thread */
};

static uint64_t time_of(const struct appearance *appearance)
{
	return appearance->to - appearance->from;
}

static void read_all(struct finding *finding)
{
	double sum = 0;
	finding->all = memory_new(finding->coordinates->count, sizeof *finding->all);
	for (uint32_t i = 0; i < finding->appearances->count; i++) {
		const struct appearance *own = &finding->appearances->all[i];
		finding->all[finding->coordinates->of[own->class]] += (double)time_of(own);
		sum += (double)time_of(own);
	}
	for (uint32_t c = 0; c < finding->coordinates->count; c++)
		finding->all[c] /= fmax(sum, 1);
}

static void set_costs(struct finding *finding)
{
	size_t coordinates = finding->coordinates->count;
	for (uint32_t p = 0; p < finding->phases->count; p++) {
		double *times = finding->times + p * coordinates, sum = 0;
		for (size_t c = 0; c < coordinates; c++)
			sum += times[c];
		for (size_t c = 0; c < coordinates; c++) {
			double part = PHASE_AS_ALL * finding->all[c];
			part += sum > 0 ? (1 - PHASE_AS_ALL) * times[c] / sum : 0;
			finding->costs[c * SPACE_PHASES_MOST + p] =
				part > 0 ? -log(part) / (double)finding->phases->window : 0;
		}
	}
}

/* Returns how many appearances had another phase before. */
static uint32_t go_back(const struct finding *finding, uint32_t first, uint32_t count, uint32_t phase)
{
	uint32_t moved = 0;
	for (uint32_t i = count; i-- > 0;) {
		moved += finding->phases->of[first + i] != phase;
		finding->phases->of[first + i] = phase;
		if (!(finding->steps[i].stays & 1u << phase))
			phase = finding->steps[i].from;
	}
	return moved;
}

static uint32_t assign_thread(const struct finding *finding, uint32_t first, uint32_t count)
{
	double sums[SPACE_PHASES_MOST] = {0};
	uint32_t phases = finding->phases->count, least = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct appearance *own = &finding->appearances->all[first + i];
		const double *costs = finding->costs + (size_t)finding->coordinates->of[own->class] * SPACE_PHASES_MOST;
		double time = (double)time_of(own);
		struct step *step = &finding->steps[i];
		*step = (struct step){0, least};
		double other =
			sums[step->from] +
			(space_phase_is_near(finding->phases, finding->appearances, first + i) ? PHASE_CHANGE_COST : 0);
		double least_sum = INFINITY;
		for (uint32_t p = 0; p < phases; p++) {
			bool stays = sums[p] <= other;
			step->stays |= (uint32_t)stays << p;
			double sum = (stays ? sums[p] : other) + time * costs[p];
			least = sum < least_sum ? p : least;
			least_sum = fmin(sum, least_sum);
			sums[p] = sum;
		}
	}
	return go_back(finding, first, count, least);
}

/* False: hardly any appearance moved. */
static bool assign(struct finding *finding)
{
	uint32_t moved = 0;
	set_costs(finding);
	for (uint32_t t = 0; t < finding->appearances->thread_count; t++)
		moved += assign_thread(
			finding, finding->appearances->threads[t].first, finding->appearances->threads[t].count);
	return moved > finding->appearances->count / STILL;
}

/* Which phases go on: those with time enough, or the one with the most. False: all do. */
static bool choose_phases(const struct finding *finding, bool *kept)
{
	double time[SPACE_PHASES_MOST] = {0};
	uint32_t count = finding->phases->count, most = 0;
	bool some_end = false;
	for (uint32_t i = 0; i < finding->appearances->count; i++)
		time[finding->phases->of[i]] += (double)time_of(&finding->appearances->all[i]);
	for (uint32_t p = 1; p < count; p++)
		most = time[p] > time[most] ? p : most;
	for (uint32_t p = 0; p < count; p++) {
		kept[p] = p == most || time[p] >= PHASE_LEAST * (double)finding->phases->window;
		some_end |= !kept[p];
	}
	return some_end;
}

/* Moves each phase to the times of its appearances, and takes out phases that have too few. False: none was taken out. */
static bool move_phases(struct finding *finding)
{
	size_t coordinates = finding->coordinates->count;
	uint32_t place[SPACE_PHASES_MOST], left = 0;
	bool kept[SPACE_PHASES_MOST];
	bool some_end = choose_phases(finding, kept);
	for (uint32_t p = 0; p < finding->phases->count; p++)
		place[p] = kept[p] ? left++ : NO_NUMBER;
	finding->phases->count = left;
	memset(finding->times, 0, left * coordinates * sizeof *finding->times);
	for (uint32_t i = 0; i < finding->appearances->count; i++) {
		const struct appearance *own = &finding->appearances->all[i];
		uint32_t phase = place[finding->phases->of[i]];
		finding->phases->of[i] = phase == NO_NUMBER ? 0 : phase;
		if (phase != NO_NUMBER)
			finding->times[phase * coordinates + finding->coordinates->of[own->class]] +=
				(double)time_of(own);
	}
	return some_end;
}

static void find_paths(struct finding *finding)
{
	bool moved = true;
	for (unsigned move = 0; move < MOVES_MOST && moved; move++) {
		moved = assign(finding);
		moved |= move_phases(finding);
	}
}

/* The part of the time in which two phases differ: 0: in nothing, 1: they have no code in common. */
static double difference_of(const struct finding *finding, uint32_t a, uint32_t b)
{
	size_t coordinates = finding->coordinates->count;
	const double *x = finding->times + a * coordinates, *y = finding->times + b * coordinates;
	double x_sum = 0, y_sum = 0, difference = 0;
	for (size_t c = 0; c < coordinates; c++) {
		x_sum += x[c];
		y_sum += y[c];
	}
	for (size_t c = 0; c < coordinates; c++)
		difference += fabs(x[c] / fmax(x_sum, 1) - y[c] / fmax(y_sum, 1)) / 2;
	return difference;
}

/* Makes one phase of the two that differ least, if that is little. */
static bool join_phases(struct finding *finding)
{
	uint32_t first = 0, second = 0, count = finding->phases->count;
	double least = PHASE_DIFFERENCE;
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1; b < count; b++) {
			double difference = difference_of(finding, a, b);
			if (difference < least) {
				least = difference;
				first = a;
				second = b;
			}
		}
	if (first == second)
		return false;
	for (uint32_t i = 0; i < finding->appearances->count; i++) {
		uint32_t *of = &finding->phases->of[i];
		*of = *of == second ? first : *of;
	}
	move_phases(finding);
	return true;
}

void phase_paths_find(struct space_phases *phases, const struct appearances *appearances,
	const struct phase_coordinates *coordinates, double *times)
{
	uint32_t most = 0;
	for (uint32_t t = 0; t < appearances->thread_count; t++)
		most = appearances->threads[t].count > most ? appearances->threads[t].count : most;
	struct finding finding = {.phases = phases,
		.appearances = appearances,
		.coordinates = coordinates,
		.times = times,
		.costs = memory_new((size_t)SPACE_PHASES_MOST * coordinates->count, sizeof *finding.costs),
		.steps = memory_new(most, sizeof *finding.steps)};
	read_all(&finding);
	do
		find_paths(&finding);
	while (join_phases(&finding));
	free(finding.all);
	free(finding.costs);
	free(finding.steps);
}
