/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the lines of a feed apart. The order of its samples does not matter: they are put in that of time when all are read. */
#include "sample_feed.h"
#include "feed_code.h"
#include "feed_stacks.h"
#include "search.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sample_feed_begins(const char *line)
{
	size_t length = strlen(SAMPLE_FEED_MARK);
	return !strncmp(line, SAMPLE_FEED_MARK, length) && line[length + strspn(line + length, " \t\r\n")] == 0;
}

void sample_feed_begin(struct sample_feed *feed, struct imported_profile *profile)
{
	*feed = (struct sample_feed){.profile = profile, .isize = 1};
	profile->what = "Feed of samples";
	profile->record = "sample";
	profile->samples = SAMPLES_EACH;
	imported_counter(profile, "Samples", UNITS_EVENTS);
}

static bool take_counter(struct sample_feed *feed, char *const *word, unsigned count)
{
	struct imported_profile *profile = feed->profile;
	unsigned before = profile->counter_count;
	if (count != 2 || feed->counters == READINGS_MAX || feed->sample_count ||
		imported_counter(profile, word[1], UNITS_EVENTS) != before)
		return false;
	profile->counters[before].delivery = DELIVERY_READ;
	feed->counters++;
	return true;
}

/* "12" or "12.5", of milliseconds, as nanoseconds; more than nine digits of a fraction are cut. */
static bool read_time(const char *text, uint64_t *time)
{
	uint64_t place = 100000, milliseconds;
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	milliseconds = strtoull(text, &end, 10);
	if (errno || __builtin_mul_overflow(milliseconds, 1000000, time))
		return false;
	if (*end == '.')
		for (end++; isdigit((unsigned char)*end); end++, place /= 10)
			if (__builtin_add_overflow(*time, (uint64_t)(*end - '0') * place, time))
				return false;
	return !*end;
}

static bool read_value(const char *text, unsigned counter, struct feed_sample *sample)
{
	if (!strcmp(text, "-"))
		return true;
	sample->known |= 1u << counter;
	return feed_number(text, 10, &sample->reading[counter]);
}

static bool take_sample(struct sample_feed *feed, char *const *word, unsigned count)
{
	struct feed_sample sample = {0};
	uint64_t thread;
	if (count != 4 + feed->counters || feed->sample_count == UINT32_MAX / (1 + READINGS_MAX) ||
		!feed_number(word[1], 10, &thread) || thread > UINT32_MAX || !read_time(word[2], &sample.time) ||
		!feed_take_place(feed, word[3], &sample.place))
		return false;
	for (unsigned i = 0; i < feed->counters; i++)
		if (!read_value(word[4 + i], i, &sample))
			return false;
	sample.thread = (uint32_t)thread;
	feed->samples = memory_room(feed->samples, feed->sample_count, sizeof sample);
	feed->samples[feed->sample_count++] = sample;
	return true;
}

static bool take(struct sample_feed *feed, char *const *word, unsigned count)
{
	if (!strcmp(word[0], "s"))
		return take_sample(feed, word, count);
	if (!strcmp(word[0], "counter"))
		return take_counter(feed, word, count);
	return feed_take_code(feed, word, count);
}

void sample_feed_take(struct sample_feed *feed, char *line, size_t length, uint64_t number)
{
	enum { MOST = 256 };
	char *word[MOST], *rest = 0;
	unsigned count = 0;
	bool whole = strlen(line) == length;
	line[strcspn(line, "#")] = 0;
	for (char *next = strtok_r(line, " \t\r", &rest); next; next = strtok_r(0, " \t\r", &rest)) {
		if (count == MOST)
			whole = false;
		else
			word[count++] = next;
	}
	if (count && (!whole || !take(feed, word, count)))
		imported_ignore(feed->profile, "line %" PRIu64 " is no line of a feed of samples", number);
}

/* By thread and time. Samples of one moment are in an order that is not the file's. */
static int by_thread(const void *a, const void *b, void *feed)
{
	const struct feed_sample *x = a, *y = b;
	int order = COMPARE(x->thread, y->thread)
			    ?: COMPARE(x->time, y->time) ?: feed_place_compare(feed, x->place, y->place);
	for (unsigned i = 0; i < READINGS_MAX && !order; i++)
		order = COMPARE(x->reading[i], y->reading[i]);
	return order ?: COMPARE(x->known, y->known);
}

static int by_time(const void *a, const void *b)
{
	const struct imported_reading *x = a, *y = b;
	return COMPARE(x->time, y->time) ?: COMPARE(x->order, y->order);
}

/* Counts are since the thread's sample before (0: it is the first). A counter that went back was restarted, or wrapped: nobody
   knows how far it counted. */
static void subtract(
	const struct feed_sample *before, const struct feed_sample *sample, struct imported_reading *reading)
{
	for (unsigned i = 0; before && i < READINGS_MAX; i++) {
		if (!(before->known & sample->known & 1u << i) || sample->reading[i] < before->reading[i])
			continue;
		reading->known |= 1u << i;
		reading->value[i] = sample->reading[i] - before->reading[i];
	}
}

void sample_feed_end(struct sample_feed *feed)
{
	struct imported_profile *profile = feed->profile;
	feed_end_code(feed);
	if (feed->sample_count)
		qsort_r(feed->samples, feed->sample_count, sizeof *feed->samples, by_thread, feed);
	profile->readings = memory_new(feed->sample_count, sizeof *profile->readings);
	for (uint32_t i = 0; i < feed->sample_count; i++) {
		const struct feed_sample *sample = &feed->samples[i];
		bool first = !i || sample[-1].thread != sample->thread;
		struct imported_reading reading = {.time = sample->time,
			.order = i,
			.thread = sample->thread,
			.stack = feed_place_stack(feed, sample->place)};
		subtract(first ? 0 : sample - 1, sample, &reading);
		profile->readings[profile->reading_count++] = reading;
	}
	if (profile->reading_count)
		qsort(profile->readings, profile->reading_count, sizeof *profile->readings, by_time);
	for (uint32_t i = 0; i < profile->reading_count; i++)
		imported_event(profile, &(struct imported_event){.time = profile->readings[i].time,
						.stack = profile->readings[i].stack,
						.thread = profile->readings[i].thread,
						.count = 1});
	profile->records = feed->sample_count;
	feed_places_free(feed);
	free(feed->samples);
	free(feed->functions);
}
