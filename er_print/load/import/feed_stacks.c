/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps each chain of calls once. */
#include "feed_stacks.h"
#include "feed_code.h"
#include "search.h"
#include <stdlib.h>
#include <string.h>

static bool is_place(const void *context, uint32_t id, const void *key)
{
	const struct feed_place *place = &((const struct sample_feed *)context)->places[id], *wanted = key;
	return place->caller == wanted->caller && place->address == wanted->address;
}

static uint32_t place_number(struct sample_feed *feed, const struct feed_place *place)
{
	uint64_t hash = hash_pair(place->caller, place->address);
	uint32_t found = id_table_find(&feed->place_table, hash, is_place, feed, place);
	if (found != NO_ID)
		return found;
	feed->places = memory_room(feed->places, feed->place_count, sizeof *place);
	feed->places[feed->place_count] = *place;
	id_table_add(&feed->place_table, hash, feed->place_count);
	return feed->place_count++;
}

bool feed_take_place(struct sample_feed *feed, const char *text, uint32_t *place)
{
	*place = NO_ID;
	for (;;) {
		char word[20];
		size_t length = strcspn(text, ">");
		struct feed_place made = {.caller = *place};
		if (length >= sizeof word || feed->place_count == NO_ID)
			return false;
		memcpy(word, text, length);
		word[length] = 0;
		if (!feed_number(word, 16, &made.address))
			return false;
		*place = place_number(feed, &made);
		if (!text[length])
			return true;
		text += length + 1;
	}
}

int feed_place_compare(const struct sample_feed *feed, uint32_t a, uint32_t b)
{
	int order = 0;
	while (!order && a != b && a != NO_ID && b != NO_ID) {
		order = COMPARE(feed->places[a].address, feed->places[b].address);
		a = feed->places[a].caller;
		b = feed->places[b].caller;
	}
	return order ?: COMPARE(a != NO_ID, b != NO_ID);
}

uint32_t feed_place_stack(struct sample_feed *feed, uint32_t place)
{
	uint32_t chain[FEED_CALLS_MAX], count = 0, stack = 0;
	for (; place != NO_ID && count < FEED_CALLS_MAX; place = feed->places[place].caller)
		chain[count++] = place;
	bool known = false;
	while (count) {
		uint32_t made = feed_stack(feed, feed->places[chain[--count]].address, stack);
		known = made;
		stack = made ? made : stack;
	}
	return known ? stack : 0;
}

void feed_places_free(struct sample_feed *feed)
{
	free(feed->places);
	id_table_free(&feed->place_table);
}
