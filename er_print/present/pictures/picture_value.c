/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes values. */
#include "picture_value.h"
#include "metric_columns.h"
#include "table_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Copies a number with a comma before each three digits of its whole part. */
static void part_thousands(char *text, const char *number)
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
	part_thousands(text, number);
	return text;
}

const char *picture_microseconds(char text[PICTURE_VALUE_MAX], double nanoseconds)
{
	char number[CELL_TEXT_MAX];
	snprintf(number, sizeof number, "%.6f sec.", nanoseconds / 1e9);
	part_thousands(text, number);
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

const char *picture_amount(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, enum metric_unit unit, double value)
{
	char number[PICTURE_VALUE_MAX];
	double factor = setting->factor > 0 ? setting->factor : 1, rounded = floor(value + 0.5);
	if (!(setting->factor > 0) && (!setting->count || unit == METRIC_NANOSECONDS))
		return picture_value(text, unit, (uint64_t)rounded);
	if (unit == METRIC_NANOSECONDS) {
		snprintf(number, 48, "%.3f sec.", rounded * factor / 1e9);
	} else {
		snprintf(number, 48, "%.3f", rounded * factor / (unit == METRIC_DECIMAL ? 1e6 : 1));
		trim(number);
	}
	part_thousands(text, number);
	if (setting->count && unit != METRIC_NANOSECONDS)
		snprintf(text + strlen(text), PICTURE_COUNT_MOST + 2, " %s", setting->count);
	return text;
}
