/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where samples of a feed were: an address, with or without the addresses of the calls that led there. */
#ifndef FEED_STACKS_H
#define FEED_STACKS_H

#include "sample_feed.h"

/* Reads "CALL>CALL>ADDRESS", the outermost first, as a place of the feed. False: it is none. */
bool feed_take_place(struct sample_feed *feed, const char *text, uint32_t *place);
/* The order of places by their addresses, from the innermost, whatever the order in which they were met: below 0, 0, or above. */
int feed_place_compare(const struct sample_feed *feed, uint32_t a, uint32_t b);
/* Its stack: none where the address is in no function; calls that are in none are left out. After feed_end_code(). */
uint32_t feed_place_stack(struct sample_feed *feed, uint32_t place);
void feed_places_free(struct sample_feed *feed);

#endif
