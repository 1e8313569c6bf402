/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads selections. */
#include "selection.h"
#include "storage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct selected_experiment everything;

static bool read_number(const char **at, uint64_t *number)
{
	char *end;
	errno = 0;
	if (**at < '0' || **at > '9')
		return false;
	*number = strtoull(*at, &end, 10);
	*at = end;
	return !errno;
}

/* One of "3", "3-5", "-5", "3-". */
static bool read_range(const char **at, const char *end, struct number_range *range)
{
	*range = (struct number_range){0, UINT64_MAX};
	bool low = read_number(at, &range->low), dash = *at < end && **at == '-';
	*at += dash;
	bool high = dash && read_number(at, &range->high);
	if (low && !dash)
		range->high = range->low;
	return (low || high) && range->low <= range->high && *at <= end;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !strncasecmp(text, word, length);
}

/* A list from `text` to `end`. */
static bool read_ranges(struct number_ranges *ranges, const char *text, const char *end)
{
	size_t length = (size_t)(end - text);
	*ranges = (struct number_ranges){.some = !is_word(text, length, "all")};
	if (!ranges->some || is_word(text, length, "none"))
		return true;
	for (const char *at = text;; at++) {
		struct number_range range;
		if (!read_range(&at, end, &range) || (at < end && *at != ','))
			break;
		ranges->ranges = memory_room(ranges->ranges, ranges->count, sizeof *ranges->ranges);
		ranges->ranges[ranges->count++] = range;
		if (at == end)
			return true;
	}
	free(ranges->ranges);
	*ranges = (struct number_ranges){0};
	return false;
}

static void copy(struct number_ranges *to, const struct number_ranges *from)
{
	free(to->ranges);
	*to = *from;
	if (from->count) {
		to->ranges = memory_new(from->count, sizeof *to->ranges);
		memcpy(to->ranges, from->ranges, from->count * sizeof *to->ranges);
	}
}

/* One part between plus signs, for the experiments that it names. */
static bool read_part(
	struct selection *new, uint32_t count, enum selection_target target, const char *text, const char *end)
{
	struct number_ranges experiments = {0}, chosen;
	const char *colon = memchr(text, ':', (size_t)(end - text));
	if (colon && !read_ranges(&experiments, text, colon))
		return false;
	bool good = read_ranges(&chosen, colon ? colon + 1 : text, end);
	for (uint32_t e = 0; good && e < count; e++)
		if (ranges_have(&experiments, e + 1ull)) {
			new->experiments[e].off = false;
			copy(&new->experiments[e].of[target], &chosen);
		}
	free(experiments.ranges);
	free(chosen.ranges);
	return good;
}

bool selection_choose(struct selection *selection, uint32_t experiment_count, enum selection_target target,
	const char *text, struct error *error)
{
	struct selection new = {
		.experiments = memory_new(experiment_count, sizeof *new.experiments), .count = experiment_count};
	for (uint32_t e = 0; e < experiment_count; e++) {
		new.experiments[e].off = true;
		for (unsigned t = 0; t < SELECT_TARGETS; t++)
			copy(&new.experiments[e].of[t], &selection_of(selection, e)->of[t]);
	}
	bool good = true;
	for (const char *at = text; good;) {
		const char *end = strchrnul(at, '+');
		good = read_part(&new, experiment_count, target, at, end);
		if (!*end)
			break;
		at = end + 1;
	}
	struct selection *old = good ? selection : &new;
	selection_free(old);
	if (good)
		*selection = new;
	else
		error_set(error,
			"`%.300s': it must be [experiments:]list{+[experiments:]list}, a list being all, none, "
			"or numbers and ranges such as 2,4,9-11",
			text);
	return good;
}

const struct selected_experiment *selection_of(const struct selection *selection, uint32_t experiment)
{
	return experiment < selection->count ? &selection->experiments[experiment] : &everything;
}

bool selection_is_all(const struct selection *selection)
{
	for (uint32_t e = 0; e < selection->count; e++) {
		if (selection->experiments[e].off)
			return false;
		for (unsigned t = 0; t < SELECT_TARGETS; t++)
			if (selection->experiments[e].of[t].some)
				return false;
	}
	return true;
}

void selection_free(struct selection *selection)
{
	for (uint32_t e = 0; e < selection->count; e++)
		for (unsigned t = 0; t < SELECT_TARGETS; t++)
			free(selection->experiments[e].of[t].ranges);
	free(selection->experiments);
	*selection = (struct selection){0};
}

void ranges_text(const struct number_ranges *ranges, char *text, size_t size)
{
	snprintf(text, size, "%s", !ranges->some ? "all" : ranges->count ? "" : "none");
	size_t used = strlen(text);
	for (unsigned r = 0; r < ranges->count && used < size; r++) {
		const struct number_range *range = &ranges->ranges[r];
		const char *comma = r ? "," : "";
		if (range->low == range->high)
			used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, comma, range->low);
		else if (range->high == UINT64_MAX)
			used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64 "-", comma, range->low);
		else
			used += (size_t)snprintf(
				text + used, size - used, "%s%" PRIu64 "-%" PRIu64, comma, range->low, range->high);
	}
}
