/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the value of -p. */
#include "clock_interval.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MILLISECOND 1000000ull
#define MICROSECOND 1000ull
#define SECOND      1000000000ull

struct clock_range clock_range_of_machine(void)
{
	struct clock_range range = {.least = MILLISECOND / 2, .greatest = SECOND, .step = MICROSECOND};
	struct timespec resolution;
	if (clock_getres(CLOCK_MONOTONIC, &resolution) == 0) {
		uint64_t nanoseconds = (uint64_t)resolution.tv_sec * SECOND + (uint64_t)resolution.tv_nsec;
		if (nanoseconds > range.step)
			range.step = nanoseconds;
		if (range.step > range.least)
			range.least = range.step;
	}
	return range;
}

/* Intervals that do not divide the periods of the program or of other timers; where the timer is too coarse for them,
   the round ones. */
static bool named_interval(const char *text, const struct clock_range *range, uint64_t *nanoseconds)
{
	static const struct {
		const char *name;
		uint64_t fine, coarse;
	} names[] = {
		{"off", 0, 0},
		{"on", 10007 * MICROSECOND, 10 * MILLISECOND},
		{"lo", 100003 * MICROSECOND, 100 * MILLISECOND},
		{"low", 100003 * MICROSECOND, 100 * MILLISECOND},
		{"h", 997 * MICROSECOND, MILLISECOND},
		{"hi", 997 * MICROSECOND, MILLISECOND},
		{"high", 997 * MICROSECOND, MILLISECOND},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(text, names[i].name) != 0)
			continue;
		*nanoseconds = range->step <= MICROSECOND ? names[i].fine : names[i].coarse;
		if (*nanoseconds && *nanoseconds < range->least)
			*nanoseconds = range->least;
		return true;
	}
	return false;
}

/* N[.fraction][m|u] to nanoseconds; what is below a nanosecond is cut, what is above an hour is cut to it. */
static bool number_interval(const char *text, uint64_t *nanoseconds)
{
	const uint64_t limit = 3600 * SECOND;
	bool micro = text[0] && text[strlen(text) - 1] == 'u';
	uint64_t unit = micro ? MICROSECOND : MILLISECOND;
	uint64_t value = 0;
	bool digits = false, positive = false;
	for (; isdigit((unsigned char)*text); text++) {
		uint64_t digit = (uint64_t)(*text - '0');
		value = value > limit ? value : value * 10 + digit * unit;
		digits = true;
		positive |= digit != 0;
	}
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++) {
			unit /= 10;
			value += (uint64_t)(*text - '0') * unit;
			digits = true;
			positive |= *text != '0';
		}
	}
	if (*text == 'm' || *text == 'u')
		text++;
	*nanoseconds = value < limit ? value : limit;
	return *text == '\0' && digits && positive;
}

static double milliseconds(uint64_t nanoseconds)
{
	return (double)nanoseconds / (double)MILLISECOND;
}

bool clock_interval_parse(
	const char *text, const struct clock_range *range, struct clock_interval *interval, struct error *error)
{
	interval->note[0] = '\0';
	if (named_interval(text, range, &interval->nanoseconds))
		return true;
	uint64_t asked;
	if (!number_interval(text, &asked))
		return error_set(error, "Unrecognized clock-profiling interval `%s'", text);
	uint64_t used = asked - asked % range->step;
	if (asked < range->least) {
		used = range->least;
		snprintf(interval->note, sizeof interval->note,
			"Warning: Clock profiling at %.3f millisec. interval is not supported on this system; "
			"minimum %.3f millisec. used",
			milliseconds(asked), milliseconds(used));
	} else if (asked > range->greatest) {
		used = range->greatest;
		snprintf(interval->note, sizeof interval->note,
			"Clock profiling at %.3f millisec. interval is not supported on this system; "
			"maximum %.3f millisec. used",
			milliseconds(asked), milliseconds(used));
	} else if (used != asked) {
		snprintf(interval->note, sizeof interval->note,
			"Clock profile interval rounded from %.3f to %.3f (system resolution = %.3f) millisec.",
			milliseconds(asked), milliseconds(used), milliseconds(range->step));
	}
	interval->nanoseconds = used;
	return true;
}
