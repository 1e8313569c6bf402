/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as pictures show them: "272,959", "1,234.567 sec.". */
#ifndef PICTURE_VALUE_H
#define PICTURE_VALUE_H

#include "metrics.h"
#include "picture_setting.h"

enum { PICTURE_VALUE_MAX = 96 };
/* A sum of a metric of that unit. Returns `text`. */
const char *picture_value(char text[PICTURE_VALUE_MAX], enum metric_unit unit, uint64_t value);
/* A value, rounded, as the choices factor and count show it: "6 kB"; frame_text.js writes the same. */
const char *picture_amount(
	char text[PICTURE_VALUE_MAX], const struct picture_setting *setting, enum metric_unit unit, double value);
/* Nanoseconds as "1.250000 sec." */
const char *picture_microseconds(char text[PICTURE_VALUE_MAX], double nanoseconds);

#endif
