/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the setting. */
#include "tree_setting.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool read_threshold(const char *text, double *threshold)
{
	char *end;
	*threshold = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	return *threshold >= 0 && *threshold <= 100 && (!*end || (*end == '%' && !end[1]));
}

static bool read_depth(const char *text, uint32_t *depth)
{
	char *end;
	unsigned long number = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	*depth = (uint32_t)number;
	return number && number <= UINT32_MAX && !*end;
}

static bool read_word(struct tree_setting *setting, const char *word)
{
	bool bottom_up = !strcasecmp(word, "bottom_up");
	if (bottom_up || !strcasecmp(word, "top_down")) {
		setting->bottom_up = bottom_up;
		return true;
	}
	if (!strncasecmp(word, "threshold=", strlen("threshold=")))
		return read_threshold(word + strlen("threshold="), &setting->threshold);
	return !strncasecmp(word, "depth=", strlen("depth=")) && read_depth(word + strlen("depth="), &setting->depth);
}

bool tree_setting_parse(struct tree_setting *setting, const char *text, struct error *error)
{
	struct tree_setting read = {0};
	char word[64];
	bool good = true;
	for (size_t length; good; text += length + 1) {
		length = strcspn(text, ":");
		snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
		good = read_word(&read, word);
		if (!text[length])
			break;
	}
	if (!good)
		return error_set(error,
			"Invalid argument to command: tree %s: it must be top_down or bottom_up, threshold=PERCENT "
			"from 0 to "
			"100, depth=LEVELS, or several of them with ':' between",
			text);
	*setting = read;
	return true;
}

void tree_setting_text(const struct tree_setting *setting, char *text, size_t size)
{
	int used = snprintf(text, size, "%s", setting->bottom_up ? "bottom_up" : "top_down");
	if (setting->threshold > 0)
		used += snprintf(text + used, size - (size_t)used, ":threshold=%.6g", setting->threshold);
	if (setting->depth)
		snprintf(text + used, size - (size_t)used, ":depth=%" PRIu32, setting->depth);
}
