/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a feed that say what its code is: functions, their blocks and instructions. */
#ifndef FEED_CODE_H
#define FEED_CODE_H

#include "sample_feed.h"

/* A whole word as a number of that base. */
bool feed_number(const char *text, int base, uint64_t *number);
/* A line in words; false: it is none of the code's, or makes no sense. */
bool feed_take_code(struct sample_feed *feed, char *const *word, unsigned count);
/* After the last line. */
void feed_end_code(struct sample_feed *feed);
/* The stack of a place that was called from another stack (0: none); 0 where no function is. After feed_end_code(). */
uint32_t feed_stack(struct sample_feed *feed, uint64_t pc, uint32_t caller);

#endif
