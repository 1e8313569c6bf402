/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The setting space_rules as text. */
#ifndef SPACE_SETTING_H
#define SPACE_SETTING_H

#include "error.h"
#include "space_rules.h"
#include <stddef.h>

/* Reads "limit=0.5:overlap=95:ends=exact", in any order; what is missing stays as it is, "default" is as at the beginning. False
   and *error. */
bool space_setting_parse(struct space_rules *rules, const char *text, struct error *error);
/* Writes what space_setting_parse() reads. */
void space_setting_text(const struct space_rules *rules, char *text, size_t size);

#endif
