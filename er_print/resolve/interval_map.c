/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an address to the interval that owns it: a sweep over the sorted bounds with a heap of the open intervals. */
#include "interval_map.h"
#include "search.h"
#include "storage.h"
#include <stdbool.h>
#include <stdlib.h>

static int by_low(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return COMPARE(x->low, y->low);
}

/* Heap of open intervals, the owner on top; those that have ended are removed when they come up. */
struct heap {
	const struct interval **entry;
	uint32_t count;
};

static bool owns_over(const struct interval *a, const struct interval *b)
{
	/* The deeper scope owns an address, and the later one of two that are equally deep. */
	return a->priority != b->priority ? a->priority > b->priority : a->value > b->value;
}

static void heap_push(struct heap *heap, const struct interval *interval)
{
	uint32_t i = heap->count++;
	for (; i && owns_over(interval, heap->entry[(i - 1) / 2]); i = (i - 1) / 2)
		heap->entry[i] = heap->entry[(i - 1) / 2];
	heap->entry[i] = interval;
}

static void heap_pop(struct heap *heap)
{
	const struct interval *last = heap->entry[--heap->count];
	uint32_t i = 0;
	for (;;) {
		uint32_t child = 2 * i + 1;
		if (child >= heap->count)
			break;
		if (child + 1 < heap->count && owns_over(heap->entry[child + 1], heap->entry[child]))
			child++;
		if (!owns_over(heap->entry[child], last))
			break;
		heap->entry[i] = heap->entry[child];
		i = child;
	}
	heap->entry[i] = last;
}

static void add_piece(struct interval_map *map, uint64_t start, uint32_t value)
{
	if (map->count && map->start[map->count - 1] == start)
		map->count--;
	if (map->count ? map->value[map->count - 1] == value : value == NO_INTERVAL)
		return;
	map->start[map->count] = start;
	map->value[map->count++] = value;
}

/* Ends what is open up to `until`: each time the owner ends, the next open one goes on. */
static void close_until(struct interval_map *map, struct heap *heap, uint64_t until)
{
	while (heap->count && heap->entry[0]->high <= until) {
		uint64_t end = heap->entry[0]->high;
		while (heap->count && heap->entry[0]->high <= end)
			heap_pop(heap);
		add_piece(map, end, heap->count ? heap->entry[0]->value : NO_INTERVAL);
	}
}

void interval_map_build(struct interval_map *map, struct interval *intervals, uint32_t count)
{
	if (count)
		qsort(intervals, count, sizeof *intervals, by_low);
	struct heap heap = {memory_new(count, sizeof *heap.entry), 0};
	/* Each interval starts one piece and ends one at most. */
	map->start = memory_new(2 * (size_t)count + 1, sizeof *map->start);
	map->value = memory_new(2 * (size_t)count + 1, sizeof *map->value);
	map->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (intervals[i].low >= intervals[i].high)
			continue;
		close_until(map, &heap, intervals[i].low);
		heap_push(&heap, &intervals[i]);
		add_piece(map, intervals[i].low, heap.entry[0]->value);
	}
	close_until(map, &heap, UINT64_MAX);
	free(heap.entry);
}

void interval_map_free(struct interval_map *map)
{
	free(map->start);
	free(map->value);
	*map = (struct interval_map){0};
}

uint32_t interval_map_piece(const struct interval_map *map, uint64_t address)
{
	uint32_t low = FIRST_WHERE(i, map->count, map->start[i] > address);
	return low ? low - 1 : NO_INTERVAL;
}

uint32_t interval_map_find(const struct interval_map *map, uint64_t address)
{
	uint32_t piece = interval_map_piece(map, address);
	return piece == NO_INTERVAL ? NO_INTERVAL : map->value[piece];
}
