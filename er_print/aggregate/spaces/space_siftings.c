/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the appearances that are judged, and those beside which. */
#include "space_siftings.h"
#include "number_map.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

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

void sifting_begin(struct sifting *sifting)
{
	sifting->whole = memory_new(sifting->counters->count, sizeof(struct space_population *));
}

void sifting_end(struct sifting *sifting)
{
	for (unsigned k = 0; sifting->whole && k < sifting->counters->count; k++) {
		if (sifting->whole[k])
			space_population_free(sifting->whole[k]);
		free(sifting->whole[k]);
	}
	free(sifting->whole);
	sifting->whole = 0;
}

/* The appearances of a class, in their order. */
static struct space_group those_of(const struct sifting *sifting, uint32_t class)
{
	uint32_t first = sifting->order->first[class];
	return (struct space_group){sifting->order->order + first, 0, sifting->order->first[class + 1] - first};
}

static void population_make(
	struct space_population *population, const struct sifting *sifting, struct space_group all, unsigned counter)
{
	space_population_make(
		population, sifting->appearances, all, counter, sifting->counters->counter[counter].is_time);
}

static const struct space_population *whole_of(const struct sifting *sifting, unsigned counter)
{
	struct space_population **made = &sifting->whole[counter];
	if (!*made) {
		*made = memory_new(1, sizeof **made);
		population_make(*made, sifting, (struct space_group){0, 0, sifting->appearances->count}, counter);
	}
	return *made;
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
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)sifting->classes * counters);
	for (uint32_t c = 0; c < sifting->classes; c++) {
		if (!sifting->asked[c])
			continue;
		for (unsigned k = 0; k < counters; k++) {
			struct space_verdict *verdict = &verdicts[c * counters + k];
			struct space_event event = sifting_event(sifting, k);
			space_judge(verdict, whole_of(sifting, k), those_of(sifting, c), false, event);
			if (event.only_deficits && is_wait(sifting, c))
				space_judge_by_share(verdict, whole_of(sifting, k));
		}
	}
	return verdicts;
}

/* The appearances of all classes of a function. The caller frees them. */
static uint32_t *those_of_function(const struct sifting *sifting, uint32_t function, uint32_t *count)
{
	uint32_t *made = 0;
	*count = 0;
	for (uint32_t c = 0; c < sifting->classes; c++) {
		struct space_group own = those_of(sifting, c);
		if (sifting_function(sifting, c) != function || !own.count)
			continue;
		made = memory_resize(made, *count + own.count, sizeof *made);
		memcpy(made + *count, own.indexes, own.count * sizeof *made);
		*count += own.count;
	}
	return made;
}

struct space_verdict *sift_functions(const struct sifting *sifting, const uint32_t *functions, uint32_t count)
{
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)count * counters);
	for (uint32_t f = 0; f < count; f++) {
		struct space_group members = {0, 0, 0};
		uint32_t *indexes = those_of_function(sifting, functions[f], &members.count);
		members.indexes = indexes;
		for (unsigned k = 0; k < counters; k++) {
			struct space_event event = sifting_event(sifting, k);
			if (event.only_deficits) /* waits are judged one by one */
				continue;
			event.only_deficits = true;
			space_judge(&verdicts[f * counters + k], whole_of(sifting, k), members, true, event);
		}
		free(indexes);
	}
	return verdicts;
}

struct space_verdict *sift_threads(const struct sifting *sifting, uint32_t class)
{
	const struct appearances *appearances = sifting->appearances;
	unsigned counters = sifting->counters->count;
	struct space_group own = those_of(sifting, class);
	struct space_verdict *verdicts = unknown_verdicts((size_t)appearances->thread_count * counters);
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, own, k);
		for (uint32_t first = 0, end; first < own.count; first = end) {
			uint32_t thread = appearances->all[own.indexes[first]].thread;
			for (end = first; end < own.count && appearances->all[own.indexes[end]].thread == thread;)
				end++;
			space_judge(&verdicts[thread * counters + k], &population,
				(struct space_group){own.indexes + first, 0, end - first}, true,
				sifting_event(sifting, k));
		}
		space_population_free(&population);
	}
	return verdicts;
}

struct space_verdict *sift_gaps(
	const struct sifting *sifting, const struct space_recurrence *recurrences, uint32_t count)
{
	unsigned counters = sifting->counters->count;
	struct space_verdict *verdicts = unknown_verdicts((size_t)count * counters);
	for (uint32_t r = 0; r < count; r++) {
		const struct space_recurrence *own = &recurrences[r];
		if (!own->gaps.count || !sifting->asked[own->class])
			continue;
		struct space_group inside = {0, own->before + 1, own->after - own->before - 1};
		for (unsigned k = 0; k < counters; k++)
			space_judge(&verdicts[r * counters + k], whole_of(sifting, k), inside, true,
				sifting_event(sifting, k));
	}
	return verdicts;
}

/* Those of one class, from the first pattern to the end; by_pattern: the appearances of each, one after the other. */
static void judge_patterns(const struct sifting *sifting, const struct space_pattern *patterns, uint32_t pattern_count,
	const uint32_t *by_pattern, struct space_verdict *verdicts)
{
	unsigned counters = sifting->counters->count;
	for (unsigned k = 0; k < counters; k++) {
		struct space_population population;
		population_make(&population, sifting, those_of(sifting, patterns->class), k);
		struct space_group members = {by_pattern, 0, 0};
		for (uint32_t p = 0; p < pattern_count; p++) {
			members.count = patterns[p].appearances;
			space_judge(
				&verdicts[p * counters + k], &population, members, false, sifting_event(sifting, k));
			members.indexes += members.count;
		}
		space_population_free(&population);
	}
}

static void sift_patterns_of(const struct sifting *sifting, const struct space_pattern *patterns,
	uint32_t pattern_count, struct space_verdict *verdicts)
{
	struct space_group own = those_of(sifting, patterns->class);
	struct number_map pattern_of = {0}; /* by number_pair of the side and the neighbour */
	uint32_t *next = memory_new(pattern_count, sizeof *next), sum = 0;
	for (uint32_t p = 0; p < pattern_count; p++) {
		*number_map_place(&pattern_of, number_pair(patterns[p].follows, patterns[p].neighbour)) = p;
		next[p] = sum;
		sum += patterns[p].appearances;
	}
	uint32_t *by_pattern = memory_new(sum, sizeof *by_pattern);
	for (uint32_t i = 0; i < own.count; i++)
		for (unsigned follows = 0; follows < 2 && !sifting->appearances->all[own.indexes[i]].passage;
			follows++) {
			uint32_t neighbour = appearance_neighbour(sifting->appearances, own.indexes[i], follows);
			uint32_t p = number_map_find(&pattern_of, number_pair(follows, neighbour));
			if (p != NO_NUMBER)
				by_pattern[next[p]++] = own.indexes[i];
		}
	judge_patterns(sifting, patterns, pattern_count, by_pattern, verdicts);
	number_map_free(&pattern_of);
	free(by_pattern);
	free(next);
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
