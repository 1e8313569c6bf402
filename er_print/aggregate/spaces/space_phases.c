/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives appearances to phases by the shortest path through them (Viterbi), moves the phases to what they were given, and does so
   again until nothing moves. */
#include "space_phases.h"
#include "phase_windows.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Windows that differ in 5 % of their time are one phase: twice the square of a twentieth. */
#define VARIANCE_LEAST 0.005

enum { MOVES_MOST = 20 };

/* How the cheapest ways to the phases of an appearance go: bit p: from phase p as well; the others come from `from`. */
struct step {
	uint32_t stays;
	uint32_t from;
};
struct finding {
	const struct appearances *appearances;
	const struct phase_coordinates *coordinates;
	struct vector_clusters *clusters;
	struct space_phases *phases;
	double *squares;    /* by cluster: of its centre */
	struct step *steps; /* by appearance of a thread */
};

/* What it costs that an appearance is of a phase, but for what it costs in each of them. */
static double cost_of(const struct finding *finding, const struct appearance *own, uint32_t phase)
{
	uint32_t coordinate = finding->coordinates->of[own->class];
	double part = finding->clusters->centres[(size_t)phase * finding->coordinates->count + coordinate];
	return (double)(own->to - own->from) / (double)finding->phases->window *
	       (1 - 2 * part + finding->squares[phase]);
}

static uint32_t least_of(const double *costs, uint32_t count)
{
	uint32_t least = 0;
	for (uint32_t p = 1; p < count; p++)
		if (costs[p] < costs[least])
			least = p;
	return least;
}

/* False: each appearance had its phase already. */
static bool go_back(const struct finding *finding, uint32_t first, uint32_t count, uint32_t phase)
{
	bool moved = false;
	for (uint32_t i = count; i-- > 0;) {
		moved |= finding->phases->of[first + i] != phase;
		finding->phases->of[first + i] = phase;
		if (!(finding->steps[i].stays & 1u << phase))
			phase = finding->steps[i].from;
	}
	return moved;
}

static bool assign_thread(const struct finding *finding, uint32_t first, uint32_t count)
{
	double costs[SPACE_PHASES_MOST] = {0};
	uint32_t phases = finding->clusters->count;
	for (uint32_t i = 0; i < count; i++) {
		const struct appearance *own = &finding->appearances->all[first + i];
		struct step *step = &finding->steps[i];
		*step = (struct step){0, least_of(costs, phases)};
		double other = costs[step->from] + !own->after_none;
		for (uint32_t p = 0; p < phases; p++) {
			bool stays = costs[p] <= other;
			step->stays |= (uint32_t)stays << p;
			costs[p] = (stays ? costs[p] : other) + cost_of(finding, own, p);
		}
	}
	return go_back(finding, first, count, least_of(costs, phases));
}

static bool assign(const struct finding *finding)
{
	bool moved = false;
	for (uint32_t p = 0; p < finding->clusters->count; p++) {
		finding->squares[p] = 0;
		for (uint32_t c = 0; c < finding->coordinates->count; c++) {
			double part = finding->clusters->centres[(size_t)p * finding->coordinates->count + c];
			finding->squares[p] += part * part;
		}
	}
	for (uint32_t t = 0; t < finding->appearances->thread_count; t++)
		moved |= assign_thread(
			finding, finding->appearances->threads[t].first, finding->appearances->threads[t].count);
	return moved;
}

/* Moves each phase to the parts of time of its appearances, and takes out phases that have none. */
static void move_phases(const struct finding *finding)
{
	size_t coordinates = finding->coordinates->count;
	uint32_t count = finding->clusters->count, left = 0;
	double *centres = finding->clusters->centres, time[SPACE_PHASES_MOST] = {0};
	uint32_t place[SPACE_PHASES_MOST];
	bool used[SPACE_PHASES_MOST] = {0};
	memset(centres, 0, count * coordinates * sizeof *centres);
	for (uint32_t i = 0; i < finding->appearances->count; i++) {
		const struct appearance *own = &finding->appearances->all[i];
		uint32_t phase = finding->phases->of[i];
		centres[phase * coordinates + finding->coordinates->of[own->class]] += (double)(own->to - own->from);
		time[phase] += (double)(own->to - own->from);
		used[phase] = true;
	}
	for (uint32_t p = 0; p < count; p++) {
		place[p] = left;
		for (size_t c = 0; c < coordinates && used[p]; c++)
			centres[left * coordinates + c] = centres[p * coordinates + c] / fmax(time[p], 1);
		left += used[p];
	}
	for (uint32_t i = 0; i < finding->appearances->count; i++)
		finding->phases->of[i] = place[finding->phases->of[i]];
	finding->clusters->count = left;
}

static void find(struct finding *finding, const struct cluster_vectors *vectors)
{
	vector_clusters_find(finding->clusters, vectors, VARIANCE_LEAST, SPACE_PHASES_MOST);
	bool moved = true;
	for (unsigned move = 0; move < MOVES_MOST && moved; move++) {
		moved = assign(finding);
		move_phases(finding);
	}
	finding->phases->count = finding->clusters->count;
	vector_clusters_free(finding->clusters);
}

/* What is summed of a phase beside its times. */
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

void space_phases_find(struct space_phases *phases, const struct appearances *appearances,
	const struct space_classes *classes, const struct space_model *model)
{
	struct phase_coordinates coordinates;
	struct cluster_vectors vectors;
	struct vector_clusters clusters;
	uint32_t most = 0;
	*phases = (struct space_phases){.phases = memory_new(SPACE_PHASES_MOST, sizeof *phases->phases),
		.of = memory_new(appearances->count, sizeof *phases->of),
		.window = phase_window(appearances, classes, model)};
	phase_coordinates_make(&coordinates, classes, model);
	phase_windows_read(&vectors, appearances, &coordinates, phases->window);
	for (uint32_t t = 0; t < appearances->thread_count; t++)
		most = appearances->threads[t].count > most ? appearances->threads[t].count : most;
	struct finding finding = {.appearances = appearances,
		.coordinates = &coordinates,
		.clusters = &clusters,
		.phases = phases,
		.squares = memory_new(SPACE_PHASES_MOST, sizeof *finding.squares),
		.steps = memory_new(most, sizeof *finding.steps)};
	if (vectors.count) {
		find(&finding, &vectors);
		sum_up(phases, appearances, classes->count);
	}
	free(finding.squares);
	free(finding.steps);
	phase_windows_free(&vectors);
	phase_coordinates_free(&coordinates);
}

void space_phases_free(struct space_phases *phases)
{
	free(phases->phases);
	free(phases->of);
}
