/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of expressions that need a replay of the heap. */
#include "expression_nodes.h"
#include "heap_events.h"

static bool is_used(const struct expression *expression)
{
	return expression->uses[KEYWORD_HLEAKED] || expression->uses[KEYWORD_HFREED] ||
	       expression->uses[KEYWORD_HCUR_NET_ALLOC] || expression->uses[KEYWORD_HCUR_ALLOCS] ||
	       expression->uses[KEYWORD_HCUR_LEAKS] || expression->uses[KEYWORD_HMEM_USAGE];
}

void expression_free_heap(struct expression *expression)
{
	heap_events_free(expression->heap_events);
	expression->heap_events = 0;
}

void expression_prepare_heap(struct expression *expression)
{
	expression_free_heap(expression);
	if (is_used(expression))
		expression->heap_events = heap_events_read(expression->setting->data);
}

static int64_t value_of(const struct heap_event *event, enum event_keyword which)
{
	switch (which) {
	case KEYWORD_HLEAKED:
		return (int64_t)event->left;
	case KEYWORD_HFREED:
		return (int64_t)event->released;
	case KEYWORD_HCUR_NET_ALLOC:
		return event->net;
	case KEYWORD_HCUR_LEAKS:
		return (int64_t)event->leaked;
	default:
		return (int64_t)event->in_use;
	}
}

void expression_heap_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	const struct heap_event *event = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (kind == KIND_HEAP)
			event = heap_events_find(expression->heap_events, experiment, batch->thread[first + i],
				batch->time[first + i], event);
		values[i] = event ? value_of(event, which) : 0;
	}
}
