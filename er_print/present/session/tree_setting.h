/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shape of call trees: from the top down or from the leaves up, and what of them is shown. */
#ifndef TREE_SETTING_H
#define TREE_SETTING_H

#include "error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeroes is the whole tree from the top down. */
struct tree_setting {
	bool bottom_up;
	double threshold; /* percent of the total: what is below is not shown */
	uint32_t depth;   /* levels below <Total>; 0: all */
};

/* Reads "bottom_up:threshold=0.5:depth=10": words in any order, those that are missing as at the beginning. False and *error. */
bool tree_setting_parse(struct tree_setting *setting, const char *text, struct error *error);
/* Writes what tree_setting_parse() reads. */
void tree_setting_text(const struct tree_setting *setting, char *text, size_t size);

#endif
