/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches a process's segments and its threads' stacks by address. */
#include "address_space.h"
#include "interval_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct address_space {
	struct data *data;
	struct resolver *resolver;
	uint32_t experiment;
	const struct mapped_segment **segments; /* ascending by address */
	uint32_t *object_of;                    /* by place in `segments`; UINT32_MAX: not asked yet */
	size_t count;
	struct interval *stacks; /* while they are read */
	uint32_t stack_count;
	struct interval_map stack_map;
};

static int by_address(const void *a, const void *b)
{
	const struct mapped_segment *x = *(const struct mapped_segment *const *)a;
	const struct mapped_segment *y = *(const struct mapped_segment *const *)b;
	return COMPARE(x->address, y->address) ?: COMPARE(x->from_time, y->from_time);
}

static void read_stacks(void *context, const struct data_batch *batch)
{
	struct address_space *space = context;
	const uint64_t *low = batch->field[FIELD_INDEX(THREAD, stack_low)];
	const uint64_t *high = batch->field[FIELD_INDEX(THREAD, stack_high)];
	if (batch->experiment != &space->data->experiments[space->experiment])
		return;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (low[i] >= high[i])
			continue;
		space->stacks = memory_room(space->stacks, space->stack_count, sizeof *space->stacks);
		space->stacks[space->stack_count++] = (struct interval){low[i], high[i], 0, 0};
	}
}

struct address_space *address_space_read(struct data *data, struct resolver *resolver, uint32_t experiment)
{
	struct address_space *space = memory_new(1, sizeof *space);
	const struct experiment *file = data->experiments[experiment].file;
	*space = (struct address_space){.data = data, .resolver = resolver, .experiment = experiment};
	space->segments = memory_new(file->segment_count, sizeof *space->segments);
	space->object_of = memory_new(file->segment_count, sizeof *space->object_of);
	for (size_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].path[0] == '/') {
			space->object_of[space->count] = UINT32_MAX;
			space->segments[space->count++] = &file->segments[i];
		}
	qsort(space->segments, space->count, sizeof *space->segments, by_address);
	data_visit(data, KIND_THREAD, read_stacks, space);
	interval_map_build(&space->stack_map, space->stacks, space->stack_count);
	return space;
}

void address_space_free(struct address_space *space)
{
	if (!space)
		return;
	interval_map_free(&space->stack_map);
	free(space->stacks);
	free(space->object_of);
	free(space->segments);
	free(space);
}

static bool is_mapped(const struct address_space *space, size_t place, uint64_t time)
{
	const struct mapped_segment *segment = space->segments[place];
	const struct loaded_experiment *loaded = &space->data->experiments[space->experiment];
	/* A segment's times count from the start of its process, an event's from the start of the founder. */
	uint64_t since_start = time > loaded->start_offset ? time - loaded->start_offset : 0;
	return segment->to_generation == UINT32_MAX || since_start < segment->to_time;
}

static bool holds(const struct address_space *space, size_t place, uint64_t address, uint32_t *object, uint64_t *offset)
{
	const struct mapped_segment *segment = space->segments[place];
	if (space->object_of[place] == UINT32_MAX)
		space->object_of[place] = data_segment_object(space->data, space->experiment, segment);
	*object = space->object_of[place];
	*offset = address - segment->address + segment->file_address;
	return resolver_object_holds(space->resolver, *object, *offset);
}

enum { NEIGHBOURS = 8 }; /* segments that are asked on each side: an object has few, and its data is beside its code */

/* An object's data mostly follows its code, its constants may come before it. */
bool address_space_object(
	const struct address_space *space, uint64_t address, uint64_t time, uint32_t *object, uint64_t *offset)
{
	size_t low = FIRST_WHERE(i, space->count, space->segments[i]->address > address);
	for (size_t i = low; i-- > 0 && low - i <= NEIGHBOURS;)
		if (is_mapped(space, i, time) && holds(space, i, address, object, offset))
			return true;
	for (size_t i = low; i < space->count && i - low < NEIGHBOURS; i++)
		if (is_mapped(space, i, time) && holds(space, i, address, object, offset))
			return true;
	return false;
}

bool address_space_is_stack(const struct address_space *space, uint64_t address)
{
	return interval_map_find(&space->stack_map, address) != NO_INTERVAL;
}
