/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All deficits that the four siftings find, corrected together, as one list. */
#ifndef SPACE_FINDINGS_H
#define SPACE_FINDINGS_H

#include "space_siftings.h"

enum finding_kind {
	FINDING_SPACE,     /* a class beside the whole program */
	FINDING_FUNCTION,  /* all classes of the class's function, beside the rest of the program */
	FINDING_THREAD,    /* a class in one thread, beside the other threads */
	FINDING_GAP,       /* the longest gap of a class, beside the rest of the run */
	FINDING_NEIGHBOUR, /* a class beside a neighbour, beside all of the class */
};
struct space_finding {
	enum finding_kind kind;
	uint32_t class;
	uint32_t other; /* the thread; the class with the most time in the gap; the neighbour; NO_NUMBER: none */
	bool follows;   /* the neighbour is before it */
	unsigned counter;
	struct space_verdict verdict;
	double share;       /* the excess, or what is missing, of all that was counted */
	double first_share; /* of what was counted beside a neighbour: in first intervals */
};
struct space_findings {
	struct space_finding *all; /* deficits, by their share downwards */
	uint32_t count;
	uint32_t
		judged[JUDGED_ADVANTAGE + 1]; /* how many verdicts of each judgement there were, JUDGED_UNKNOWN aside */
};

void space_findings_compute(struct space_findings *findings, const struct sifting *sifting);
void space_findings_free(struct space_findings *findings);

#endif
