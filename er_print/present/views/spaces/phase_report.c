/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds phases, and sums up what was counted and how long each class of code spaces ran in them. */
#include "phase_report.h"
#include "search.h"

#include <stdlib.h>

bool phase_report_begin(struct phase_report *report, struct session *session)
{
	*report = (struct phase_report){0};
	if (!space_report_begin(&report->spaces, session))
		return false;
	const struct appearances *appearances = &report->spaces.appearances;
	unsigned counters = appearances->counters;
	uint32_t classes = report->spaces.classes.count;
	space_phases_find(&report->phases, appearances, &report->spaces.classes, &report->spaces.model);
	report->sums = memory_new((size_t)report->phases.count * counters, sizeof *report->sums);
	report->times = memory_new((size_t)report->phases.count * classes, sizeof *report->times);
	for (uint32_t i = 0; i < appearances->count; i++) {
		size_t phase = report->phases.of[i];
		const struct appearance *own = &appearances->all[i];
		report->times[phase * classes + own->class] += own->to - own->from;
		for (unsigned k = 0; k < counters; k++) {
			appearance_sum_add(&report->sums[phase * counters + k], appearance_sum(appearances, i, k));
		}
	}
	if (report->phases.count)
		return true;
	phase_report_end(report);
	return session_error(session, "There are no phases: no time is between two samples of one thread");
}

void phase_report_end(struct phase_report *report)
{
	free(report->sums);
	free(report->times);
	space_phases_free(&report->phases);
	space_report_end(&report->spaces);
}

static int by_time(const void *a, const void *b, void *times)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return COMPARE(((uint64_t *)times)[y], ((uint64_t *)times)[x]) ?: COMPARE(x, y);
}

uint32_t *phase_classes(const struct phase_report *report, uint32_t phase, uint32_t *count)
{
	uint32_t classes = report->spaces.classes.count, *made = memory_new(classes, sizeof *made);
	*count = 0;
	for (uint32_t c = 0; c < classes; c++)
		if (phase_time_in(report, phase, c))
			made[(*count)++] = c;
	if (*count)
		qsort_r(made, *count, sizeof *made, by_time, report->times + (size_t)phase * classes);
	return made;
}
