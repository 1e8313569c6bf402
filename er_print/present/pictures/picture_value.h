/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as pictures show them: "272,959 allocations", "1,234.567 sec.". */
#ifndef PICTURE_VALUE_H
#define PICTURE_VALUE_H

#include "metrics.h"
#include "picture_setting.h"

enum { PICTURE_VALUE_MAX = 96 };
/* A sum of a metric of that unit. Returns `text`. */
const char *picture_value(char text[PICTURE_VALUE_MAX], enum metric_unit unit, uint64_t value);
/* Copies a number with a comma before each three digits of its whole part. */
void picture_thousands(char text[PICTURE_VALUE_MAX], const char *number);
/* Which kind of data a metric is of: its title; 0 if that does not say it, as in folded stacks, which count anything. */
const char *picture_kind(const struct metric *row);
/* The word behind the values of a metric: the choice count, "bytes", or what is counted, from the metric's title: "allocations";
   "" if there is none. Times have their unit instead. Returns `word`. */
const char *picture_word(
	char word[PICTURE_COUNT_MOST + 1], const struct picture_setting *setting, const struct metric *row);
/* A value, rounded, as the choices factor and experiments show it; frame_text.js writes the same. */
const char *picture_number(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, enum metric_unit unit, double value);
/* A value that is the mean of so many; 0: a sum. */
const char *picture_mean(char text[PICTURE_VALUE_MAX], unsigned mean_of, enum metric_unit unit, double value);
/* A value, rounded, with its word, as the choices factor and count show it: "6 kB". */
const char *picture_amount(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, const struct metric *row, double value);
/* A total that stands behind the metric's title: as picture_amount, but the title has said what is counted. */
const char *picture_total(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, const struct metric *row, double value);
/* "ns", "millionths", "bytes" or "": how frame_text.js knows a unit. */
const char *picture_unit_name(enum metric_unit unit);
/* Nanoseconds as "1.250000 sec." */
const char *picture_microseconds(char text[PICTURE_VALUE_MAX], double nanoseconds);

#endif
