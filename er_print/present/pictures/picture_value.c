/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes values. */
#include "picture_value.h"
#include "metric_columns.h"
#include "table_print.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void picture_thousands(char text[PICTURE_VALUE_MAX], const char *number)
{
	size_t whole = strspn(number, "0123456789");
	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			*text++ = ',';
		*text++ = number[i];
	}
	strcpy(text, number + whole);
}

const char *picture_value(char text[PICTURE_VALUE_MAX], enum metric_unit unit, uint64_t value)
{
	struct cell cell = {.shown = true, .number = value};
	char number[CELL_TEXT_MAX];
	if (unit == METRIC_NANOSECONDS)
		snprintf(number, sizeof number, "%.3f sec.", (double)value / 1e9);
	else if (!value)
		strcpy(number, "0");
	else
		cell_text(metric_value_format(unit), &cell, false, number);
	picture_thousands(text, number);
	return text;
}

const char *picture_microseconds(char text[PICTURE_VALUE_MAX], double nanoseconds)
{
	char number[CELL_TEXT_MAX];
	snprintf(number, sizeof number, "%.6f sec.", nanoseconds / 1e9);
	picture_thousands(text, number);
	return text;
}

/* Takes the zeroes at the end of a number's decimals away. */
static void trim(char *number)
{
	char *end = number + strlen(number);
	while (end[-1] == '0')
		*--end = 0;
	if (end[-1] == '.')
		end[-1] = 0;
}

static const char counted[] = " Count";

static bool is_count(const struct metric *row)
{
	size_t length = strlen(row->title), end = sizeof counted - 1;
	return length > end && !strcmp(row->title + length - end, counted);
}

const char *picture_kind(const struct metric *row)
{
	return row->counter && is_count(row) ? 0 : row->title;
}

/* "Page Faults" as "page faults", "L1 D-cache Misses" as "L1 D-cache misses", "Read Count" as "reads". */
static void words_of_title(char word[PICTURE_COUNT_MOST + 1], const struct metric *row)
{
	const char *title = row->title;
	bool counts = is_count(row);
	size_t length = strlen(title) - (counts ? sizeof counted - 1 : 0);
	*word = 0;
	if (length + counts > PICTURE_COUNT_MOST)
		return;
	for (size_t i = 0; i < length; i++) {
		bool begins = !i || title[i - 1] == ' ' || title[i - 1] == '-';
		bool is_word = isupper((unsigned char)title[i]) && islower((unsigned char)title[i + 1]);
		word[i] = (char)(begins && is_word ? tolower((unsigned char)title[i]) : title[i]);
	}
	strcpy(word + length, counts ? "s" : "");
}

const char *picture_word(
	char word[PICTURE_COUNT_MOST + 1], const struct picture_setting *setting, const struct metric *row)
{
	*word = 0;
	if (row->unit == METRIC_NANOSECONDS || row->unit == METRIC_RATIO)
		return word;
	if (setting->count)
		snprintf(word, PICTURE_COUNT_MOST + 1, "%s", setting->count);
	else if (row->unit == METRIC_BYTES && !(setting->factor > 0))
		strcpy(word, "bytes");
	else if (!(setting->factor > 0) && picture_kind(row))
		words_of_title(word, row);
	return word;
}

const char *picture_number(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, enum metric_unit unit, double value)
{
	char number[PICTURE_VALUE_MAX];
	double rounded = floor(value + 0.5) * picture_factor(setting);
	if (!(setting->factor > 0) && setting->mean_of <= 1)
		return picture_value(text, unit, (uint64_t)rounded);
	if (unit == METRIC_NANOSECONDS) {
		snprintf(number, 48, "%.3f sec.", rounded / 1e9);
	} else {
		snprintf(number, 48, "%.3f", rounded / (unit == METRIC_DECIMAL ? 1e6 : 1));
		trim(number);
	}
	picture_thousands(text, number);
	return text;
}

const char *picture_mean(char text[PICTURE_VALUE_MAX], unsigned mean_of, enum metric_unit unit, double value)
{
	const struct picture_setting setting = {.mean_of = mean_of};
	return picture_number(text, &setting, unit, value);
}

static const char *add_word(char text[PICTURE_VALUE_MAX], const char *word)
{
	size_t length = strlen(text);
	if (*word)
		snprintf(text + length, PICTURE_VALUE_MAX - length, " %s", word);
	return text;
}

const char *picture_amount(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, const struct metric *row, double value)
{
	char word[PICTURE_COUNT_MOST + 1];
	picture_number(text, setting, row->unit, value);
	return add_word(text, picture_word(word, setting, row));
}

const char *picture_total(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, const struct metric *row, double value)
{
	char word[PICTURE_COUNT_MOST + 1];
	picture_number(text, setting, row->unit, value);
	return setting->count || row->unit == METRIC_BYTES ? add_word(text, picture_word(word, setting, row)) : text;
}

const char *picture_unit_name(enum metric_unit unit)
{
	return unit == METRIC_NANOSECONDS ? "ns"
	       : unit == METRIC_DECIMAL   ? "millionths"
	       : unit == METRIC_BYTES     ? "bytes"
					  : "";
}
