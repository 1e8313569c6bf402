/* SPDX-License-Identifier: Apache-2.0 */
/* Averages over stretches of so many intervals: see lateness.h. */
#include "lateness.h"

/* Nanoseconds; what is more has another cause. */
enum { LATENESS_MOST = 20000 };

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
	begin_stretch(lateness, now, cpu_time);
}

uint64_t lateness_end(struct thread_lateness *lateness, uint64_t from, uint64_t to)
{
	/* A short interval keeps half of its length: the lateness is an average. */
	uint64_t most = (to - from) / 2, late = lateness->nanoseconds < most ? lateness->nanoseconds : most;
	lateness->intervals++;
	lateness->off += to - late - from;
	return to - late;
}

void lateness_learn(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time)
{
	uint64_t passed = now - lateness->since, known = cpu_time - lateness->cpu_since + lateness->off;
	uint64_t late = lateness->nanoseconds, more = known > passed ? (known - passed) / lateness->intervals : 0;
	uint64_t less = passed > known ? (passed - known) / lateness->intervals : 0;
	/* If so much is missing, something else is not known either. */
	if (less <= late && late + more - less <= LATENESS_MOST) {
		lateness->nanoseconds = late + more - less;
		__atomic_store_n(&learned_last, lateness->nanoseconds, __ATOMIC_RELAXED);
	}
	begin_stretch(lateness, now, cpu_time);
}
