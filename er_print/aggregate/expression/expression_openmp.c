/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of expressions about OpenMP: where an event's thread was when it happened. Of one that lasts its middle counts:
   a thread may sleep from shortly before a region's end until the next one. */
#include "event_times.h"
#include "expression_nodes.h"
#include "omp_times.h"

void expression_free_openmp(struct expression *expression)
{
	omp_times_free(expression->omp_times);
	expression->omp_times = 0;
}

void expression_prepare_openmp(struct expression *expression)
{
	static const enum event_keyword words[] = {KEYWORD_OMPSTATE, KEYWORD_CPRID, KEYWORD_PPRID, KEYWORD_TSKID,
		KEYWORD_PTSKID, KEYWORD_PRPC, KEYWORD_PARREG};
	expression_free_openmp(expression);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (expression->uses[words[i]] && !expression->omp_times)
			expression->omp_times = omp_times_read(expression->setting->data);
}

/* The region that is in no other. */
static uint64_t outermost(const struct omp_times *times, uint32_t experiment, const struct omp_instance *region)
{
	const struct omp_instance *around;
	while (region->parent && region->parent < region->number &&
		(around = omp_region_numbered(times, experiment, region->parent)))
		region = around;
	return region->number;
}

/* The address of the function or call that begins the region. */
static uint64_t address_of(const struct data *data, uint32_t stack)
{
	const struct stack *leaf = &data->stacks[stack];
	return stack && !(leaf->flags & STACK_ROOT) ? data->addresses[leaf->address].offset : 0;
}

static uint64_t value_of(
	const struct omp_times *times, enum event_keyword which, uint32_t experiment, const struct omp_change *at)
{
	const struct omp_instance *region = omp_region_of(times, experiment, at);
	const struct omp_task_number *task = omp_task_of(times, experiment, at);
	switch (which) {
	case KEYWORD_OMPSTATE:
		return at->state;
	case KEYWORD_CPRID:
		return region ? region->number : 0;
	case KEYWORD_PPRID:
		return region ? region->parent : 0;
	case KEYWORD_TSKID:
		return task ? task->number : 0;
	case KEYWORD_PTSKID:
		return task ? task->parent : 0;
	case KEYWORD_PRPC:
		return region ? address_of(times->data, region->stack) : 0;
	default:
		return region ? outermost(times, experiment, region) : 0;
	}
}

void expression_openmp_values(const struct expression *expression, enum event_keyword which, int kind,
	const struct data_batch *batch, uint32_t first, uint32_t count, int64_t *values)
{
	const struct omp_times *times = expression->omp_times;
	uint32_t experiment = (uint32_t)(batch->experiment - expression->setting->data->experiments);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t middle = event_middle(kind, batch, first + i);
		struct omp_change at = omp_times_at(times, experiment, batch->thread[first + i], middle);
		enum omp_state waits = omp_state_of_stack(times->data, batch->stack[first + i]);
		at.state = waits ? waits : at.state;
		values[i] = (int64_t)value_of(times, which, experiment, &at);
	}
}
