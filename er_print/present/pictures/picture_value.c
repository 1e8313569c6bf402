/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes values. */
#include "picture_value.h"
#include "metric_columns.h"
#include "table_print.h"

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
