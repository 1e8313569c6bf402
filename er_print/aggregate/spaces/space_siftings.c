/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the appearances that are judged, and those beside which. */
#include "space_siftings.h"
#include "storage.h"
#include <stdlib.h>

static struct space_verdict *unknown_verdicts(size_t count)
{
	struct space_verdict *verdicts = memory_new(count, sizeof *verdicts);
	for (size_t i = 0; i < count; i++)
		verdicts[i].chance = 2;
	return verdicts;
}

struct space_event sifting_event(const struct sifting *sifting, unsigned counter)
{
	struct space_event event = space_event_of(sifting->counters->counter[counter].name);
	event.is_judged &= !sifting->counters->counter[counter].is_told;
	return event;
}

/* The appearances of a class, in their order. */
static const uint32_t *those_of(const struct sifting *sifting, uint32_t class, uint32_t *count)
{
	*count = sifting->order->first[class + 1] - sifting->order->first[class];
	return sifting->order->order + sifting->order->first[class];
}

static void population_make(struct space_population *population, const struct sifting *sifting, const uint32_t *indexes,
	uint32_t count, unsigned counter)
{
	bool is_time = sifting->counters->counter[counter].is_time;
	space_population_make(population, sifting->appearances, indexes, count, counter, is_time);
}

uint32_t sifting_function(const struct sifting *sifting, uint32_t class)
{
	return sifting->table->spaces[sifting->rows[class].leader].function;
}

static bool is_wait(const struct sifting *sifting, uint32_t class)
{
	return sifting->table->spaces[sifting->rows[class].leader].state != SPACE_RAN;
}

struct space_verdict *sift_classes(const struct sifting *sifting)
{
	const struct appearances *appearances = sifting->appearances;
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)sifting->classes * counters);
	bool *member = memory_new(appearances->count, sizeof *member);
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, 0, appearances->count, k);
		for (uint32_t c = 0; c < sifting->classes; c++) {
			for (uint32_t i = 0; sifting->asked[c] && i < appearances->count; i++)
				member[i] = appearances->all[i].class == c;
			if (!sifting->asked[c])
				continue;
			struct space_event event = sifting_event(sifting, k);
			space_judge(&verdicts[c * counters + k], &population, member, false, event);
			if (event.only_deficits && is_wait(sifting, c))
				space_judge_by_share(&verdicts[c * counters + k], &population);
		}
		space_population_free(&population);
	}
	free(member);
	return verdicts;
}

struct space_verdict *sift_functions(const struct sifting *sifting, const uint32_t *functions, uint32_t count)
{
	const struct appearances *appearances = sifting->appearances;
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)count * counters);
	bool *member = memory_new(appearances->count, sizeof *member);
	for (unsigned k = 0; k < counters; k++) {
		struct space_event event = sifting_event(sifting, k);
		struct space_population population;
		if (event.only_deficits) /* waits are judged one by one */
			continue;
		event.only_deficits = true;
		population_make(&population, sifting, 0, appearances->count, k);
		for (uint32_t f = 0; f < count; f++) {
			for (uint32_t i = 0; i < appearances->count; i++)
				member[i] = sifting_function(sifting, appearances->all[i].class) == functions[f];
			space_judge(&verdicts[f * counters + k], &population, member, true, event);
		}
		space_population_free(&population);
	}
	free(member);
	return verdicts;
}

struct space_verdict *sift_threads(const struct sifting *sifting, uint32_t class)
{
	const struct appearances *appearances = sifting->appearances;
	unsigned counters = sifting->counters->count;
	uint32_t count;
	const uint32_t *own = those_of(sifting, class, &count);
	struct space_verdict *verdicts = unknown_verdicts((size_t)appearances->thread_count * counters);
	bool *member = memory_new(count, sizeof *member);
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, own, count, k);
		for (uint32_t first = 0, end; first < count; first = end) {
			uint32_t thread = appearances->all[own[first]].thread;
			for (end = first; end < count && appearances->all[own[end]].thread == thread; end++)
				member[end] = true;
			space_judge(
				&verdicts[thread * counters + k], &population, member, true, sifting_event(sifting, k));
			for (uint32_t i = first; i < end; i++)
				member[i] = false;
		}
		space_population_free(&population);
	}
	free(member);
	return verdicts;
}

struct space_verdict *sift_gaps(
	const struct sifting *sifting, const struct space_recurrence *recurrences, uint32_t count)
{
	const struct appearances *appearances = sifting->appearances;
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)count * counters);
	bool *member = memory_new(appearances->count, sizeof *member);
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, 0, appearances->count, k);
		for (uint32_t r = 0; r < count; r++) {
			const struct space_recurrence *recurrence = &recurrences[r];
			if (!recurrence->gaps.count || !sifting->asked[recurrence->class])
				continue;
			for (uint32_t i = 0; i < appearances->count; i++)
				member[i] = i > recurrence->before && i < recurrence->after;
			space_judge(&verdicts[r * counters + k], &population, member, true, sifting_event(sifting, k));
		}
		space_population_free(&population);
	}
	free(member);
	return verdicts;
}

/* Those of one class, from the first pattern to the end. */
static void sift_patterns_of(const struct sifting *sifting, const struct space_pattern *patterns,
	uint32_t pattern_count, struct space_verdict *verdicts)
{
	unsigned counters = sifting->counters->count;
	uint32_t count;
	const uint32_t *own = those_of(sifting, patterns->class, &count);
	bool *member = memory_new(count, sizeof *member);
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, own, count, k);
		for (uint32_t p = 0; p < pattern_count; p++) {
			for (uint32_t i = 0; i < count; i++)
				member[i] = !sifting->appearances->all[own[i]].passage &&
					    appearance_neighbour(sifting->appearances, own[i], patterns[p].follows) ==
						    patterns[p].neighbour;
			space_judge(&verdicts[p * counters + k], &population, member, false, sifting_event(sifting, k));
		}
		space_population_free(&population);
	}
	free(member);
}

struct space_verdict *sift_patterns(const struct sifting *sifting, const struct space_patterns *patterns)
{
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)patterns->count * counters);
	for (uint32_t first = 0, end; first < patterns->count; first = end) {
		for (end = first; end < patterns->count && patterns->all[end].class == patterns->all[first].class;)
			end++;
		if (sifting->asked[patterns->all[first].class])
			sift_patterns_of(
				sifting, &patterns->all[first], end - first, verdicts + (size_t)first * counters);
	}
	return verdicts;
}
