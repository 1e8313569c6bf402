/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on what was counted in some appearances of code: whether its rate is a deficit or an advantage beside that of others.

   All of these must hold:
   - the rate is at least 1.5 times the other one, or at most that part of it;
   - it matters: what was counted differs from what it would be at the other rate by at least 1 % of all that was counted;
   - it is no chance: by a rank test of the rates of at least 5 appearances, and of events by their number as well, both two-sided
     at 1 %, corrected by Holm's method for all tests of a report. Ranks alone say too much where few appearances have any. */
#ifndef SPACE_VERDICTS_H
#define SPACE_VERDICTS_H

#include "appearances.h"
#include "rank_test.h"
#include "space_events.h"

#define VERDICT_RATIO       1.5
#define VERDICT_PART        .01
#define VERDICT_CHANCE      .01
#define VERDICT_APPEARANCES 5u

enum space_judgement {
	JUDGED_UNKNOWN, /* a rate is not known */
	JUDGED_USUAL,   /* the ratio is within the bounds */
	JUDGED_LITTLE,  /* it does not matter */
	JUDGED_TOO_FEW, /* there are too few appearances */
	JUDGED_CHANCE,  /* it may be chance */
	JUDGED_DEFICIT,
	JUDGED_ADVANTAGE
};
struct space_verdict {
	double rate, other_rate; /* counts by instruction, or by ns */
	double ratio;            /* of these; 0: it is not known */
	double chance;           /* of the tests, the larger one; 2: there was none */
	uint32_t appearances;    /* with a known rate */
	double rated, base;      /* what was counted, and what the rate is by */
	double excess;           /* what was counted, less what it would be at the other rate */
	bool by_share;           /* space_judge_by_share() */
	enum space_judgement judgement;
};

/* Sums for rates as they were counted, and not enlarged. */
struct rated_sum {
	double rated, base;
};
/* Some of the appearances. */
struct space_group {
	const uint32_t *indexes; /* 0: those from `first` on */
	uint32_t first, count;
};
/* Appearances among which some are judged, by one counter. */
struct space_population {
	bool is_time; /* the counter's, which are no events */
	const struct appearances *appearances;
	unsigned counter;
	uint64_t *rank; /* by row of sums: as `scale` has it, of those whose rate is known */
	struct rank_scale scale;
	double rated, base;      /* of all of it */
	struct rated_sum chosen; /* of those that have sums */
};
void space_population_make(struct space_population *population, const struct appearances *appearances,
	struct space_group all, unsigned counter, bool is_time);
void space_population_free(struct space_population *population);

/* Judges some of a population beside all of it, or beside the others of it. event: the counter's. The verdict is not corrected for
   the number of tests yet. */
void space_judge(struct space_verdict *verdict, const struct space_population *population, struct space_group members,
	bool beside_others, struct space_event event);
/* Judges it as a part of all that was counted, whatever its rate: by the second condition, and by the number of appearances. */
void space_judge_by_share(struct space_verdict *verdict, const struct space_population *population);
/* Corrects the verdicts of a report. */
void space_verdicts_correct(struct space_verdict *verdicts, uint32_t count);

#endif
