/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of .er.rc files that are no commands: defaults, and which descendants are loaded. */
#ifndef RC_SETTINGS_H
#define RC_SETTINGS_H

#include "data.h"

#include <regex.h>

struct rc_settings {
	char *default_metrics, *default_sort; /* the nearest file's first; 0: none */
	char *file_metrics, *file_sort;       /* of the file that is being read */
	enum { DESCENDANTS_ALL, DESCENDANTS_NONE, DESCENDANTS_MATCHING } descendants;
	regex_t pattern; /* of DESCENDANTS_MATCHING */
};
void rc_settings_free(struct rc_settings *settings);

/* As data.h's data_descendant; the context is the struct rc_settings. */
bool rc_wants_descendant(const void *context, const char *lineage, const struct experiment *experiment);

#endif
