/* SPDX-License-Identifier: Apache-2.0 */
/* From which duration on a wait is recorded. Calibrated it is 6 times what a lock costs on average that nobody holds, as the
   original has it, so that what is recorded has waited. */
#include "collector.h"
#include "event_log.h"
#include "interpose.h"
#include "sync.h"
#include <pthread.h>

enum { WARM_UP = 3, CALLS = 100, ROUNDS = 5, TIMES_THE_COST = 6 };
#define SPAN 200000u /* nanoseconds between two triples that tell the rate of raw time to a thousandth */

static uint64_t round_of_locks(pthread_mutex_t *mutex, unsigned calls)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < calls; i++) {
		uint64_t request = time_raw();
		REAL(pthread_mutex_lock)(mutex);
		sum += time_raw() - request;
		REAL(pthread_mutex_unlock)(mutex);
	}
	return sum;
}

/* Raw time of CALLS locks; of several rounds the least, which nothing interrupted. */
static uint64_t cost_of_locks(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	uint64_t least = UINT64_MAX;
	round_of_locks(&mutex, WARM_UP);
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t sum = round_of_locks(&mutex, CALLS);
		least = sum < least ? sum : least;
	}
	return least;
}

static double raw_per_nanosecond(void)
{
	struct time_triple now;
	if (!collector.settings.time_source)
		return 1;
	do
		time_now(&now);
	while (now.monotonic < collector.start.monotonic + SPAN);
	return (double)(now.raw - collector.start.raw) / (double)(now.monotonic - collector.start.monotonic);
}

uint64_t sync_threshold(void)
{
	const struct settings *settings = &collector.settings;
	uint64_t nanoseconds = settings->sync_threshold, raw = 0;
	if (settings->sync == SETTING_VALUE(sync, calibrate) || nanoseconds) {
		double rate = raw_per_nanosecond();
		if (settings->sync == SETTING_VALUE(sync, calibrate)) {
			raw = TIMES_THE_COST * cost_of_locks() / CALLS;
			nanoseconds = (uint64_t)((double)raw / rate + 0.5);
		} else {
			raw = (uint64_t)((double)nanoseconds * rate);
		}
		raw += raw == 0;
	}
	struct log_line *line = event_log_begin("sync_threshold");
	if (line) {
		log_number_attribute(line, "nanoseconds", nanoseconds);
		event_log_end(line, 0);
	}
	return raw;
}
