/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that the reports of phases are made of. */
#ifndef PHASE_REPORT_H
#define PHASE_REPORT_H

#include "space_phases.h"
#include "space_report.h"

struct phase_report {
	struct space_report spaces;
	struct space_phases phases;
	struct appearance_sum *sums; /* [phase * counters + counter] */
	uint64_t *times;             /* [phase * classes + class]: ns */
};

/* False: there is nothing to report, and the session's user was told so. */
bool phase_report_begin(struct phase_report *report, struct session *session);
void phase_report_end(struct phase_report *report);

static inline uint64_t phase_time_in(const struct phase_report *report, uint32_t phase, uint32_t class)
{
	return report->times[(size_t)phase * report->spaces.classes.count + class];
}
/* Its classes by time in it, downwards, and then by number; those with none are left out. The caller frees the array. */
uint32_t *phase_classes(const struct phase_report *report, uint32_t phase, uint32_t *count);

#endif
