/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The innermost span of each time is the one that counts. */
#include "omp_spans.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* Outer ones first. */
static int by_begin(const void *one, const void *other)
{
	const struct omp_span *a = one, *b = other;
	return COMPARE(a->from, b->from) ?: COMPARE(b->to, a->to);
}

struct open_spans {
	struct omp_span *spans; /* the innermost last */
	uint32_t count, capacity;
	enum omp_state between;
	struct omp_thread_times *changes;
};

/* The thread is in the innermost open span from a time on. */
static void change(struct open_spans *open, uint64_t time)
{
	struct omp_thread_times *to = open->changes;
	struct omp_change now = {time, NO_NUMBER, NO_NUMBER, 0, open->between};
	if (open->count) {
		const struct omp_span *span = &open->spans[open->count - 1];
		now = (struct omp_change){time, span->region, span->task, span->stack, span->state};
	}
	if (to->count && to->changes[to->count - 1].time == time)
		to->count--;
	memory_reserve(to->changes, to->count, to->capacity);
	to->changes[to->count++] = now;
}

static void close_until(struct open_spans *open, uint64_t time)
{
	while (open->count && open->spans[open->count - 1].to <= time) {
		uint64_t ended = open->spans[--open->count].to;
		while (open->count && open->spans[open->count - 1].to <= ended)
			open->count--;
		change(open, ended);
	}
}

void omp_spans_changes(struct omp_spans *spans, enum omp_state between, struct omp_thread_times *changes)
{
	struct open_spans open = {.between = between, .changes = changes};
	if (spans->count)
		qsort(spans->spans, spans->count, sizeof *spans->spans, by_begin);
	change(&open, 0);
	for (uint32_t i = 0; i < spans->count; i++) {
		struct omp_span span = spans->spans[i];
		if (span.to <= span.from)
			continue;
		close_until(&open, span.from);
		const struct omp_span *around = open.count ? &open.spans[open.count - 1] : 0;
		if (around && span.to > around->to)
			span.to = around->to;
		if (around && span.task == NO_NUMBER && around->region == span.region)
			span.task = around->task;
		memory_reserve(open.spans, open.count, open.capacity);
		open.spans[open.count++] = span;
		change(&open, span.from);
	}
	close_until(&open, OMP_OPEN - 1);
	free(open.spans);
}
