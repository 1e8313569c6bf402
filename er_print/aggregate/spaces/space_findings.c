/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the verdicts of all siftings side by side. */
#include "space_findings.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>

/* Every verdict, before those that are no deficits are left out. */
struct candidates {
	struct space_finding *all;
	struct space_verdict *verdicts; /* likewise, for the correction */
	uint32_t count;
	const struct sifting *sifting;
};

static void add(struct candidates *candidates, struct space_finding finding, const struct space_verdict *verdicts)
{
	for (unsigned k = 0; k < candidates->sifting->counters->count; k++) {
		if (verdicts[k].judgement == JUDGED_UNKNOWN)
			continue;
		candidates->all = memory_room(candidates->all, candidates->count, sizeof finding);
		candidates->verdicts =
			memory_room(candidates->verdicts, candidates->count, sizeof *candidates->verdicts);
		finding.counter = k;
		candidates->all[candidates->count] = finding;
		candidates->verdicts[candidates->count++] = verdicts[k];
	}
}

static void add_classes(struct candidates *candidates)
{
	const struct sifting *sifting = candidates->sifting;
	struct space_verdict *verdicts = sift_classes(sifting);
	for (uint32_t c = 0; c < sifting->classes; c++)
		add(candidates, (struct space_finding){.kind = FINDING_SPACE, .class = c, .other = NO_NUMBER},
			verdicts + (size_t)c * sifting->counters->count);
	free(verdicts);
}

static void add_functions(struct candidates *candidates)
{
	const struct sifting *sifting = candidates->sifting;
	uint32_t *functions = memory_new(sifting->classes, sizeof *functions), count = 0;
	uint32_t *first = memory_new(sifting->classes, sizeof *first); /* class, by place in `functions` */
	struct number_map seen = {0};
	for (uint32_t c = 0; c < sifting->classes; c++) {
		uint32_t function = sifting_function(sifting, c), *place;
		if (!sifting->asked[c] || function == FUNCTION_TOTAL ||
			*(place = number_map_place(&seen, function)) != NO_NUMBER)
			continue;
		*place = count;
		functions[count] = function;
		first[count++] = c;
	}
	struct space_verdict *verdicts = sift_functions(sifting, functions, count);
	for (uint32_t f = 0; f < count; f++)
		add(candidates, (struct space_finding){.kind = FINDING_FUNCTION, .class = first[f], .other = NO_NUMBER},
			verdicts + (size_t)f * sifting->counters->count);
	free(verdicts);
	number_map_free(&seen);
	free(first);
	free(functions);
}

static void add_threads(struct candidates *candidates)
{
	const struct sifting *sifting = candidates->sifting;
	for (uint32_t c = 0; c < sifting->classes; c++) {
		if (!sifting->asked[c])
			continue;
		struct space_verdict *verdicts = sift_threads(sifting, c);
		for (uint32_t t = 0; t < sifting->appearances->thread_count; t++)
			add(candidates, (struct space_finding){.kind = FINDING_THREAD, .class = c, .other = t},
				verdicts + (size_t)t * sifting->counters->count);
		free(verdicts);
	}
}

static void add_gaps(struct candidates *candidates)
{
	const struct sifting *sifting = candidates->sifting;
	struct space_recurrence *recurrences = space_recurrence_compute(sifting->appearances, sifting->classes);
	struct space_verdict *verdicts = sift_gaps(sifting, recurrences, sifting->classes);
	for (uint32_t c = 0; c < sifting->classes; c++)
		if (sifting->asked[c] && recurrences[c].gaps.count)
			add(candidates,
				(struct space_finding){.kind = FINDING_GAP,
					.class = c,
					.other = space_gap_read(sifting->appearances, &recurrences[c], sifting->classes)
							 .most},
				verdicts + (size_t)c * sifting->counters->count);
	free(verdicts);
	free(recurrences);
}

static void add_patterns(struct candidates *candidates)
{
	const struct sifting *sifting = candidates->sifting;
	struct space_patterns patterns;
	space_patterns_compute(&patterns, sifting->appearances, sifting->order, sifting->classes);
	struct space_verdict *verdicts = sift_patterns(sifting, &patterns);
	for (uint32_t p = 0; p < patterns.count; p++) {
		const struct space_pattern *pattern = &patterns.all[p];
		uint32_t first = candidates->count;
		add(candidates,
			(struct space_finding){.kind = FINDING_NEIGHBOUR,
				.class = pattern->class,
				.other = pattern->neighbour,
				.follows = pattern->follows},
			verdicts + (size_t)p * sifting->counters->count);
		for (; first < candidates->count; first++) {
			struct space_finding *finding = &candidates->all[first];
			const struct appearance_sum *sum = &pattern->sums[finding->counter];
			finding->first_share = sum->counted > 0 ? sum->first / sum->counted : 0;
		}
	}
	free(verdicts);
	space_patterns_free(&patterns);
}

static int by_share(const void *a, const void *b)
{
	const struct space_finding *x = a, *y = b;
	return COMPARE(y->share, x->share)     ?: COMPARE(x->kind, y->kind)
			     ?: COMPARE(x->class, y->class) ?: COMPARE(x->counter, y->counter)
					  ?: COMPARE(y->follows, x->follows) ?: COMPARE(x->other, y->other);
}

/* Whether a class of the function has most of its deficit. */
static bool is_of_a_class(const struct space_findings *findings, const struct sifting *sifting, uint32_t function)
{
	const struct space_finding *whole = &findings->all[function];
	for (uint32_t i = 0; i < findings->count; i++) {
		const struct space_finding *other = &findings->all[i];
		if (other->kind == FINDING_SPACE && other->counter == whole->counter &&
			sifting_function(sifting, other->class) == sifting_function(sifting, whole->class) &&
			other->share >= whole->share / 2)
			return true;
	}
	return false;
}

static void leave_functions_out(struct space_findings *findings, const struct sifting *sifting)
{
	uint32_t kept = 0;
	bool *is_kept = memory_new(findings->count, sizeof *is_kept);
	for (uint32_t i = 0; i < findings->count; i++)
		is_kept[i] = findings->all[i].kind != FINDING_FUNCTION || !is_of_a_class(findings, sifting, i);
	for (uint32_t i = 0; i < findings->count; i++)
		if (is_kept[i])
			findings->all[kept++] = findings->all[i];
	findings->count = kept;
	free(is_kept);
}

void space_findings_compute(struct space_findings *findings, const struct sifting *sifting)
{
	struct candidates candidates = {.sifting = sifting};
	add_classes(&candidates);
	add_functions(&candidates);
	add_threads(&candidates);
	add_gaps(&candidates);
	add_patterns(&candidates);
	space_verdicts_correct(candidates.verdicts, candidates.count);
	*findings = (struct space_findings){.all = candidates.all};
	for (uint32_t i = 0; i < candidates.count; i++) {
		struct space_finding finding = candidates.all[i];
		finding.verdict = candidates.verdicts[i];
		findings->judged[finding.verdict.judgement]++;
		if (finding.verdict.judgement != JUDGED_DEFICIT)
			continue;
		finding.share = fabs(finding.verdict.excess) / (double)sifting->appearances->total[finding.counter];
		findings->all[findings->count++] = finding;
	}
	leave_functions_out(findings, sifting);
	if (findings->count)
		qsort(findings->all, findings->count, sizeof *findings->all, by_share);
	free(candidates.verdicts);
}

void space_findings_free(struct space_findings *findings)
{
	free(findings->all);
}
