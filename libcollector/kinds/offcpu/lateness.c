/* SPDX-License-Identifier: Apache-2.0 */
/* Averages over stretches of so many intervals: see lateness.h. */
#include "lateness.h"

/* Nanoseconds; what is more has another cause. */
enum { LATENESS_MOST = 20000, OWED_MOST = 1000000 };

/* An interval makes up for so much of what is owed: who ended a wait is found by when it ended. */
enum { INSTALMENT = 8000 };

/* The lateness that some thread has learned last: threads begin with it. Atomic. */
static uint64_t learned_last;

static void begin_stretch(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time)
{
	lateness->since = now;
	lateness->cpu_since = cpu_time;
	lateness->off = lateness->intervals = 0;
}

void lateness_start(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time)
{
	lateness->nanoseconds = __atomic_load_n(&learned_last, __ATOMIC_RELAXED);
	lateness->owed = 0;
	begin_stretch(lateness, now, cpu_time);
}

/* A short interval keeps half of its length: the lateness is an average. */
uint64_t lateness_end(struct thread_lateness *lateness, uint64_t from, uint64_t to)
{
	int64_t most = (int64_t)((to - from) / 2), late = (int64_t)lateness->nanoseconds;
	int64_t own = late < most ? late : most, owed = lateness->owed;
	int64_t wanted = own + (owed < INSTALMENT ? owed : INSTALMENT);
	int64_t taken = wanted < 0 ? 0 : wanted < most ? wanted : most;
	lateness->owed -= taken - own;
	lateness->intervals++;
	lateness->off += to - (uint64_t)own - from;
	return to - (uint64_t)taken;
}

void lateness_learn(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time)
{
	int64_t passed = (int64_t)(now - lateness->since);
	int64_t over = (int64_t)(cpu_time - lateness->cpu_since + lateness->off) - passed;
	int64_t late = (int64_t)lateness->nanoseconds, learned = late + over / (int64_t)lateness->intervals;
	/* If so much is missing, something else is not known either. */
	if (learned >= 0) {
		int64_t owed = lateness->owed + over;
		lateness->owed = owed < OWED_MOST ? owed : OWED_MOST;
		if (learned <= LATENESS_MOST)
			lateness->nanoseconds = (uint64_t)learned;
		__atomic_store_n(&learned_last, lateness->nanoseconds, __ATOMIC_RELAXED);
	}
	begin_stretch(lateness, now, cpu_time);
}
