/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing the counters of a run. */
#include "counters.h"
#include "counter_event.h"
#include "counter_probe.h"
#include "cpu_rate.h"
#include "message.h"
#include "own_counters.h"
#include <linux/perf_event.h>
#include <string.h>

#define MILLISECOND 1000000u

/* The kernel's timer behind cpu-clock and task-clock takes the whole CPU when it is asked for much less. */
#define CLOCK_LEAST 100000u /* nanoseconds */

/* The aims of "on", "hi" and "lo": 100, 1000, 10 overflows a second of a thread at most. */
#define CEILING_ON   (10 * MILLISECOND)
#define CEILING_HIGH (1 * MILLISECOND)
#define CEILING_LOW  (100 * MILLISECOND)

static uint64_t within_limits(uint64_t interval)
{
	const uint64_t most = UINT32_MAX / 2;
	return interval < 1 ? 1 : interval > most ? most : interval;
}

/* Intervals end in 1, so as not to beat with loops. */
static uint64_t ending_in_one(uint64_t interval)
{
	return interval < 10 ? interval : interval / 10 * 10 + 1;
}

/* The clock's interval N in milliseconds makes v x N / 10; its named ones count as 1, 10 and 100. */
static uint64_t follow_clock(uint64_t interval_on, uint64_t clock, uint64_t *ceiling)
{
	uint64_t tenths = (clock + MILLISECOND / 20) / (MILLISECOND / 10); /* of a millisecond */
	*ceiling = clock;
	if (!clock || tenths == 100) {
		*ceiling = CEILING_ON;
		return interval_on;
	}
	return ending_in_one((uint64_t)((double)interval_on * (double)tenths / 100));
}

uint64_t counter_interval(
	enum counter_rate rate, uint64_t interval_on, uint64_t interval_asked, uint64_t clock, uint64_t *ceiling)
{
	*ceiling = 0;
	switch (rate) {
	case RATE_INTERVAL:
		return interval_asked;
	case RATE_HIGH:
		*ceiling = CEILING_HIGH;
		return within_limits(interval_on / 10 + 1);
	case RATE_LOW:
		*ceiling = CEILING_LOW;
		return within_limits(interval_on * 10 / 100 * 100 + 1);
	case RATE_ON:
		*ceiling = CEILING_ON;
		return interval_on;
	case RATE_AUTO:
		break;
	}
	return within_limits(follow_clock(interval_on, clock, ceiling));
}

static const char *const sets[] = {
#define SET(counters) counters,
#include "counter_sets.def"
	0};
static const char *const read_sets[] = {
#define READ_SET(counters) counters,
#include "counter_sets.def"
	0};

/* Whether it is asked for overflows of a counter that has none. */
static bool is_only_read(const struct counter_request *request)
{
	struct counter_request plain = *request;
	struct overflow_counter counter;
	uint64_t interval;
	struct error unused;
	plain.attribute_count = 0;
	return !request->read && own_counter_find(request->name, &counter) &&
	       !counter_event_find(&plain, &counter, &interval, &unused);
}

/* From its name to the counter; *interval: of the rate "on". */
static bool find_event(const struct counter_request *request, struct overflow_counter *counter, uint64_t *interval,
	struct error *error)
{
	*interval = 0;
	memset(counter, 0, sizeof *counter);
	if (request->read && !request->attribute_count && own_counter_find(request->name, counter))
		return true;
	if (is_only_read(request))
		return error_set(error, "HW counter `%s' has no overflows: clock ticks read it: -h =%s", request->name,
			request->name);
	if (!counter_event_find(request, counter, interval, error))
		return false;
	if (request->read) {
		counter->delivery = DELIVERY_READ;
		counter->precise_asked = 0;
	}
	return true;
}

/* Whether the CPU has every counter of a set; *requests: what they are, at that rate. */
static bool set_is_here(const char *set, enum counter_rate rate, struct counter_requests *requests)
{
	struct error unused;
	*requests = (struct counter_requests){.count = 0};
	if (!counter_requests_add(requests, set, &unused))
		return false;
	for (unsigned i = 0; i < requests->count; i++) {
		struct overflow_counter counter;
		uint64_t interval;
		requests->items[i].rate = rate;
		if (!find_event(&requests->items[i], &counter, &interval, &unused))
			return false;
	}
	return true;
}

char *counters_standard_text(void)
{
	struct counter_requests requests;
	for (const char *const *set = sets; *set; set++)
		if (set_is_here(*set, RATE_AUTO, &requests))
			return strdup(*set);
	return 0;
}

/* The default set of a machine with counters. A set that cannot be loaded is no set: the next is tried. */
static bool choose_standard(
	enum counter_rate rate, uint64_t clock, struct overflow_counter *counters, unsigned *count, struct error *error)
{
	struct counter_requests requests;
	if (!counter_probe_has_pmu())
		return error_set(error,
			"HW counter profiling is not supported on this system: it shows no performance monitoring "
			"unit, so there is no default set of counters; \"collect -h\" lists what the kernel counts "
			"itself");
	error_set(error, "No default HW counter set is defined for CPU");
	for (const char *const *set = sets; *set; set++)
		if (set_is_here(*set, rate, &requests) && counters_choose(&requests, clock, counters, count, error))
			return true;
	return false;
}

/* The set for clock ticks to read, of what this machine has. */
static bool choose_standard_read(
	uint64_t clock, struct overflow_counter *counters, unsigned *count, struct error *error)
{
	struct counter_requests requests;
	for (const char *const *set = read_sets; *set; set++)
		if (set_is_here(*set, RATE_AUTO, &requests) &&
			counters_choose(&requests, clock, counters, count, error))
			return true;
	return false;
}

static bool choose(
	const struct counter_request *request, uint64_t clock, struct overflow_counter *counter, struct error *error)
{
	uint64_t interval_on;
	if (!find_event(request, counter, &interval_on, error))
		return false;
	if (request->read && !clock)
		return error_set(error, "HW counter `=%s' is read at clock ticks: -p must not be off", counter->name);
	counter->memory = request->memory;
	if (counter->memory && counter->type != PERF_TYPE_SOFTWARE && !counter->precise_asked)
		counter->precise_asked = 3; /* only what is sampled precisely has a data address */
	if (!request->read)
		counter->interval =
			counter_interval(request->rate, interval_on, request->interval, clock, &counter->ceiling);
	if (!request->read && counter->units == UNITS_NANOSECONDS && counter->interval < CLOCK_LEAST)
		return error_set(error,
			"Invalid interval for HW counter `%s': %llu: it must be from %u to %u nanoseconds",
			counter->name, (unsigned long long)counter->interval, CLOCK_LEAST, UINT32_MAX / 2);
	if (counter->units == UNITS_CPU_CYCLES)
		counter->rate = cpu_rate_of_machine().kilohertz;
	if (request->has_register)
		message_warning("Warning: HW counter `%s': the register is ignored: the kernel assigns counters",
			counter->name);
	return true;
}

/* Two counters of one name would be one metric. */
static bool differs(const struct overflow_counter *counters, unsigned index, struct error *error)
{
	for (unsigned i = 0; i < index; i++)
		if (strcmp(counters[i].name, counters[index].name) == 0)
			return error_set(error, "HW counter `%s' was specified twice", counters[index].name);
	return true;
}

/* Those that are read stand behind the others, which so keep the numbers that their events have. */
static bool put_read_last(struct overflow_counter *counters, unsigned count, struct error *error)
{
	struct overflow_counter sorted[OVERFLOW_COUNTERS_MAX];
	unsigned sorted_count = 0, read_count = 0;
	for (int read = 0; read < 2; read++)
		for (unsigned i = 0; i < count; i++)
			if ((counters[i].delivery == DELIVERY_READ) == read) {
				sorted[sorted_count++] = counters[i];
				read_count += read;
			}
	memcpy(counters, sorted, count * sizeof *counters);
	return read_count <= READINGS_MAX ||
	       error_set(error,
		       "The HW counter configuration could not be loaded: More than %u counters were specified that "
		       "clock ticks read",
		       READINGS_MAX);
}

bool counters_choose(const struct counter_requests *requests, uint64_t clock,
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX], unsigned *count, struct error *error)
{
	*count = 0;
	if (requests->standard && !choose_standard(requests->standard_rate, clock, counters, count, error))
		return false;
	struct overflow_counter read_set[OVERFLOW_COUNTERS_MAX];
	unsigned first = *count, read_count = 0;
	if (requests->standard_read && !choose_standard_read(clock, read_set, &read_count, error))
		return false;
	if (first + requests->count + read_count > OVERFLOW_COUNTERS_MAX)
		return error_set(error,
			"The HW counter configuration could not be loaded: More than %u counters were specified",
			OVERFLOW_COUNTERS_MAX);
	for (unsigned i = 0; i < requests->count; i++)
		if (!choose(&requests->items[i], clock, &counters[(*count)++], error))
			return false;
	for (unsigned i = 0; i < read_count; i++)
		counters[(*count)++] = read_set[i];
	for (unsigned i = first; i < *count; i++)
		if (!differs(counters, i, error))
			return false;
	return put_read_last(counters, *count, error) && counter_probe(counters, *count, error);
}
