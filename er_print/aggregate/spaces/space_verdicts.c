/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares rates, and asks the rank test whether chance can have made the difference. */
#include "space_verdicts.h"
#include "search.h"
#include "storage.h"
#include "sum_test.h"
#include <math.h>
#include <stdlib.h>

static uint32_t index_of(const struct space_population *population, uint32_t place)
{
	return population->indexes ? population->indexes[place] : place;
}

static void add_chosen(struct rated_sum *chosen, const struct space_population *population, uint32_t place,
	const struct appearance_sum *sum)
{
	uint32_t weight = appearance_weight(population->appearances, index_of(population, place));
	chosen->rated += sum->rated / weight;
	chosen->base += sum->base / weight;
}

void space_population_make(struct space_population *population, const struct appearances *appearances,
	const uint32_t *indexes, uint32_t count, unsigned counter, bool is_time)
{
	*population = (struct space_population){.appearances = appearances,
		.indexes = indexes,
		.count = count,
		.counter = counter,
		.is_time = is_time,
		.place = memory_new(count, sizeof *population->place)};
	double *rates = memory_new(count, sizeof *rates);
	uint32_t known = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct appearance_sum *sum = appearance_sum(appearances, index_of(population, i), counter);
		population->place[i] = sum->base ? known : NO_NUMBER;
		population->rated += sum->rated;
		population->base += sum->base;
		add_chosen(&population->chosen, population, i, sum);
		if (sum->base)
			rates[known++] = (double)sum->rated / (double)sum->base;
	}
	rank_scale_make(&population->scale, rates, known);
	free(rates);
}

void space_population_free(struct space_population *population)
{
	rank_scale_free(&population->scale);
	free(population->place);
}

/* Of so many appearances, with that sum of ranks. */
static double chance_of(
	const struct space_population *population, uint32_t appearances, uint64_t ranks, const struct rated_sum *chosen)
{
	double by_ranks = rank_scale_chance(&population->scale, ranks, appearances);
	if (population->is_time)
		return by_ranks;
	double share = (double)chosen->base / (double)population->chosen.base;
	return fmax(by_ranks, sum_test_chance(chosen->rated, population->chosen.rated, share));
}

void space_judge(struct space_verdict *verdict, const struct space_population *population, const bool *member,
	bool beside_others, struct space_event event)
{
	uint64_t rated = 0, base = 0, ranks = 0;
	struct rated_sum chosen = {0, 0};
	*verdict = (struct space_verdict){.chance = 2};
	for (uint32_t i = 0; i < population->count; i++) {
		if (!member[i] || population->place[i] == NO_NUMBER)
			continue;
		const struct appearance_sum *sum =
			appearance_sum(population->appearances, index_of(population, i), population->counter);
		rated += sum->rated;
		base += sum->base;
		add_chosen(&chosen, population, i, sum);
		ranks += population->scale.rank[population->place[i]];
		verdict->appearances++;
	}
	verdict->rated = rated;
	verdict->base = base;
	uint64_t other_rated = population->rated - (beside_others ? rated : 0);
	uint64_t other_base = population->base - (beside_others ? base : 0);
	if (!event.is_judged || !base || !other_base || population->scale.count == verdict->appearances)
		return;
	verdict->rate = (double)rated / (double)base;
	verdict->other_rate = (double)other_rated / (double)other_base;
	verdict->ratio = other_rated ? verdict->rate / verdict->other_rate : rated ? INFINITY : 1;
	verdict->excess = (double)rated - verdict->other_rate * (double)base;
	if (verdict->appearances >= VERDICT_APPEARANCES)
		verdict->chance = chance_of(population, verdict->appearances, ranks, &chosen);
	bool more = verdict->ratio >= VERDICT_RATIO;
	bool less = verdict->ratio * VERDICT_RATIO <= 1 && !event.only_deficits;
	verdict->judgement =
		!more && !less ? JUDGED_USUAL
		: fabs(verdict->excess) < VERDICT_PART * (double)population->appearances->total[population->counter]
			? JUDGED_LITTLE
		: verdict->appearances < VERDICT_APPEARANCES ? JUDGED_TOO_FEW
		: more == event.more_is_better               ? JUDGED_ADVANTAGE
							     : JUDGED_DEFICIT;
}

void space_judge_by_share(struct space_verdict *verdict, const struct space_population *population)
{
	uint64_t total = population->appearances->total[population->counter];
	verdict->by_share = true;
	verdict->excess = (double)verdict->rated;
	verdict->chance = 2;
	verdict->judgement = !verdict->base                                          ? JUDGED_UNKNOWN
			     : (double)verdict->rated < VERDICT_PART * (double)total ? JUDGED_LITTLE
			     : verdict->appearances < VERDICT_APPEARANCES            ? JUDGED_TOO_FEW
										     : JUDGED_DEFICIT;
}

static int by_chance(const void *a, const void *b)
{
	const struct space_verdict *x = *(struct space_verdict *const *)a, *y = *(struct space_verdict *const *)b;
	return COMPARE(x->chance, y->chance);
}

void space_verdicts_correct(struct space_verdict *verdicts, uint32_t count)
{
	struct space_verdict **tested = memory_new(count, sizeof(struct space_verdict *));
	uint32_t tests = 0;
	for (uint32_t i = 0; i < count; i++)
		if (verdicts[i].chance <= 1)
			tested[tests++] = &verdicts[i];
	if (tests)
		qsort(tested, tests, sizeof *tested, by_chance);
	bool refused = false;
	for (uint32_t i = 0; i < tests; i++) {
		refused |= tested[i]->chance > VERDICT_CHANCE / (tests - i);
		if (refused && tested[i]->judgement >= JUDGED_DEFICIT)
			tested[i]->judgement = JUDGED_CHANCE;
	}
	free(tested);
}
