/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ordered array: programs have few mappings at a time. */
#include "heap_ranges.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

void heap_ranges_free(struct heap_ranges *ranges)
{
	free(ranges->ranges);
	*ranges = (struct heap_ranges){0};
}

/* The first range that ends behind the address. */
static uint64_t find(const struct heap_ranges *ranges, uint64_t address)
{
	return FIRST_WHERE(i, ranges->count, ranges->ranges[i].end > address);
}

static void insert(struct heap_ranges *ranges, uint64_t place, const struct heap_range *range)
{
	struct heap_range copy = *range;
	ranges->ranges = memory_room(ranges->ranges, ranges->count, sizeof *ranges->ranges);
	memmove(ranges->ranges + place + 1, ranges->ranges + place, (ranges->count - place) * sizeof copy);
	ranges->ranges[place] = copy;
	ranges->count++;
}

void heap_ranges_add(struct heap_ranges *ranges, const struct heap_range *range)
{
	insert(ranges, find(ranges, range->start), range);
}

void heap_ranges_take(struct heap_ranges *ranges, uint64_t start, uint64_t end,
	void (*taken)(void *context, const struct heap_range *piece), void *context)
{
	uint64_t place = find(ranges, start);
	while (place < ranges->count && ranges->ranges[place].start < end) {
		struct heap_range whole = ranges->ranges[place], piece = whole;
		piece.start = start > whole.start ? start : whole.start;
		piece.end = end < whole.end ? end : whole.end;
		/* The slack is the rest of the last page, which the program did not ask for: it stays with the piece that has the
		   mapping's end. */
		piece.slack = piece.end == whole.end ? whole.slack : 0;
		memmove(ranges->ranges + place, ranges->ranges + place + 1, (--ranges->count - place) * sizeof whole);
		if (whole.start < piece.start) {
			struct heap_range before = whole;
			before.end = piece.start;
			before.slack = 0;
			insert(ranges, place++, &before);
		}
		if (piece.end < whole.end) {
			struct heap_range after = whole;
			after.start = piece.end;
			insert(ranges, place++, &after);
		}
		taken(context, &piece);
	}
}
