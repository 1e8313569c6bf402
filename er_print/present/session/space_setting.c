/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the setting. */
#include "space_setting.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double NS_PER_MS = 1e6, WINDOW_MOST = 1e9; /* the latter in ms */
enum { COUNTS_LEAST = 100, COUNTS_MOST = 1000000000 };

/* NAME=PERCENT, with or without '%'. */
static bool read_percent(const char *word, const char *name, double *percent)
{
	size_t length = strlen(name);
	char *end;
	if (strncasecmp(word, name, length) != 0 || !isdigit((unsigned char)word[length]))
		return false;
	double number = strtod(word + length, &end);
	if (number > 100 || (*end && (*end != '%' || end[1])))
		return false;
	*percent = number;
	return true;
}

/* window=MILLISECONDS or window=auto. */
static bool read_window(const char *word, uint64_t *window)
{
	static const char name[] = "window=";
	size_t length = sizeof name - 1;
	char *end;
	if (strncasecmp(word, name, length) != 0)
		return false;
	if (!strcasecmp(word + length, "auto")) {
		*window = 0;
		return true;
	}
	if (!isdigit((unsigned char)word[length]))
		return false;
	double number = strtod(word + length, &end);
	if (*end || number * NS_PER_MS < 1 || number > WINDOW_MOST)
		return false;
	*window = (uint64_t)llround(number * NS_PER_MS);
	return true;
}

/* counts=NUMBER or counts=default. */
static bool read_counts(const char *word, uint32_t *counts)
{
	static const char name[] = "counts=";
	size_t length = sizeof name - 1;
	char *end;
	if (strncasecmp(word, name, length) != 0)
		return false;
	if (!strcasecmp(word + length, "default")) {
		*counts = SPACE_COUNTS_STANDARD;
		return true;
	}
	if (!isdigit((unsigned char)word[length]))
		return false;
	unsigned long number = strtoul(word + length, &end, 10);
	if (*end || number < COUNTS_LEAST || number > COUNTS_MOST)
		return false;
	*counts = (uint32_t)number;
	return true;
}

static bool read_word(struct space_rules *rules, const char *word)
{
	if (!strcasecmp(word, "default")) {
		*rules = SPACE_RULES_STANDARD;
		return true;
	}
	bool exact = !strcasecmp(word, "ends=exact");
	if (exact || !strcasecmp(word, "ends=blocks")) {
		rules->exact = exact;
		return true;
	}
	return read_window(word, &rules->window) || read_counts(word, &rules->counts) ||
	       read_percent(word, "limit=", &rules->limit) ||
	       (read_percent(word, "overlap=", &rules->overlap) && rules->overlap > 0);
}

bool space_setting_parse(struct space_rules *rules, const char *text, struct error *error)
{
	struct space_rules read = *rules;
	char word[64];
	bool good = true;
	const char *at = text;
	for (size_t length; good; at += length + 1) {
		length = strcspn(at, ":");
		snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, at);
		good = read_word(&read, word);
		if (!at[length])
			break;
	}
	if (!good)
		return error_set(error,
			"Invalid argument to command: space_rules %s: it must be limit=PERCENT from 0 to 100, "
			"overlap=PERCENT above 0, ends=blocks, ends=exact, window=MILLISECONDS, window=auto, "
			"counts=NUMBER from 100, counts=default, several of them with ':' between, or default",
			text);
	*rules = read;
	return true;
}

void space_setting_text(const struct space_rules *rules, char *text, size_t size)
{
	int length = snprintf(text, size, "limit=%.6g:overlap=%.6g:ends=%s:window=", rules->limit, rules->overlap,
		rules->exact ? "exact" : "blocks");
	if (length < 0 || (size_t)length >= size)
		return;
	char window[32] = "auto", counts[16] = "default";
	if (rules->window)
		snprintf(window, sizeof window, "%.12g", (double)rules->window / NS_PER_MS);
	if (rules->counts != SPACE_COUNTS_STANDARD)
		snprintf(counts, sizeof counts, "%" PRIu32, rules->counts);
	snprintf(text + length, size - (size_t)length, "%s:counts=%s", window, counts);
}
