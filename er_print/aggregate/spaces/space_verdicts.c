/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares rates, and asks the rank test whether chance can have made the difference. */
#include "space_verdicts.h"
#include "search.h"
#include "storage.h"
#include "sum_test.h"
#include <math.h>
#include <stdlib.h>

static const double LEAST = .5; /* less is nothing: sums are of whole numbers, but for how precise enlarged ones are */

static uint32_t index_of(const struct space_group *group, uint32_t place)
{
	return group->indexes ? group->indexes[place] : group->first + place;
}

/* Ranks those whose rates are known: rows of sums. */
static void rank(struct space_population *population, const double *rates, const uint32_t *rows, uint32_t known)
{
	rank_scale_make(&population->scale, rates, known);
	population->rank = memory_new(population->appearances->sums.row_count, sizeof *population->rank);
	for (uint32_t i = 0; i < known; i++)
		population->rank[rows[i]] = population->scale.rank[i];
}

void space_population_make(struct space_population *population, const struct appearances *appearances,
	struct space_group all, unsigned counter, bool is_time)
{
	*population = (struct space_population){.appearances = appearances, .counter = counter, .is_time = is_time};
	uint32_t most = all.count < appearances->sums.row_count ? all.count : appearances->sums.row_count;
	double *rates = memory_new(most, sizeof *rates);
	uint32_t *rows = memory_new(most, sizeof *rows), known = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		uint32_t appearance = index_of(&all, i);
		const struct appearance_sum *sum = appearance_sum(appearances, appearance, counter);
		population->rated += sum->rated;
		population->base += sum->base;
		const struct appearance_sum own = appearance_own_sum(appearances, appearance, counter);
		if (own.base <= 0)
			continue;
		population->chosen.rated += own.rated;
		population->chosen.base += own.base;
		rows[known] = appearances->sums.row_of[appearance];
		rates[known++] = own.rated / own.base;
	}
	rank(population, rates, rows, known);
	free(rates);
	free(rows);
}

void space_population_free(struct space_population *population)
{
	rank_scale_free(&population->scale);
	free(population->rank);
}

/* The chance of so many appearances' sum of ranks, and of what was counted in them. */
static double chance_of(
	const struct space_population *population, uint32_t appearances, uint64_t ranks, const struct rated_sum *chosen)
{
	double by_ranks = rank_scale_chance(&population->scale, ranks, appearances);
	if (population->is_time)
		return by_ranks;
	double share = chosen->base / population->chosen.base;
	return fmax(by_ranks, sum_test_chance((uint64_t)chosen->rated, (uint64_t)population->chosen.rated, share));
}

/* Adds up those that have a known rate. Returns the sum of their ranks. */
static uint64_t add_up(struct space_verdict *verdict, const struct space_population *population,
	const struct space_group *members, struct rated_sum *chosen)
{
	const struct appearances *appearances = population->appearances;
	uint64_t ranks = 0;
	for (uint32_t i = 0; i < members->count; i++) {
		uint32_t appearance = index_of(members, i);
		const struct appearance_sum *sum = appearance_sum(appearances, appearance, population->counter);
		const struct appearance_sum own = appearance_own_sum(appearances, appearance, population->counter);
		if (own.base <= 0)
			continue;
		verdict->rated += sum->rated;
		verdict->base += sum->base;
		verdict->appearances++;
		chosen->rated += own.rated;
		chosen->base += own.base;
		ranks += population->rank[appearances->sums.row_of[appearance]];
	}
	return ranks;
}

void space_judge(struct space_verdict *verdict, const struct space_population *population, struct space_group members,
	bool beside_others, struct space_event event)
{
	struct rated_sum chosen = {0, 0};
	*verdict = (struct space_verdict){.chance = 2};
	uint64_t ranks = add_up(verdict, population, &members, &chosen);
	double rated = verdict->rated, base = verdict->base;
	double other_rated = population->rated - (beside_others ? rated : 0);
	double other_base = population->base - (beside_others ? base : 0);
	if (!event.is_judged || base < LEAST || other_base < LEAST || population->scale.count == verdict->appearances)
		return;
	other_rated = other_rated < LEAST ? 0 : other_rated;
	verdict->rate = rated / base;
	verdict->other_rate = other_rated / other_base;
	verdict->ratio = other_rated > 0 ? verdict->rate / verdict->other_rate : rated > 0 ? INFINITY : 1;
	verdict->excess = rated - verdict->other_rate * base;
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
	verdict->excess = verdict->rated;
	verdict->chance = 2;
	verdict->judgement = verdict->base < LEAST                           ? JUDGED_UNKNOWN
			     : verdict->rated < VERDICT_PART * (double)total ? JUDGED_LITTLE
			     : verdict->appearances < VERDICT_APPEARANCES    ? JUDGED_TOO_FEW
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
