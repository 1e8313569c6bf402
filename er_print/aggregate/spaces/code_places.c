/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks each address up once, and makes each graph once. */
#include "code_places.h"
#include "storage.h"
#include "system_code.h"
#include <stdlib.h>
#include <string.h>

void code_places_free(struct code_places *places)
{
	for (uint32_t i = 0; i < places->graph_count; i++)
		flow_graph_free(places->graphs[i]);
	number_map_free(&places->place_of);
	number_map_free(&places->graph_of);
	free(places->graphs);
	free(places->all);
	*places = (struct code_places){0};
}

static bool locate(struct code_places *places, uint32_t stack, struct code_place *made)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_frames(places->resolver, stack, frames);
	made->function = frames[count - 1].own;
	const struct function *row = resolver_function(places->resolver, made->function);
	uint64_t address = places->data->addresses[places->data->stacks[stack].address].offset;
	made->offset = address - row->start - !(places->data->stacks[stack].flags & STACK_EXACT);
	made->in_libc = !row->artificial && load_object_is_libc(&places->data->objects[row->object]);
	return !row->artificial;
}

uint32_t code_place_of(struct code_places *places, uint32_t stack)
{
	const struct stack *row = &places->data->stacks[stack];
	if (!stack || row->flags & STACK_ROOT)
		return NO_NUMBER;
	uint64_t key = number_pair(row->address, row->flags & STACK_EXACT);
	uint32_t *place = number_map_place(&places->place_of, key);
	if (*place == NO_NUMBER) {
		struct code_place made;
		places->all = memory_room(places->all, places->count, sizeof made);
		if (!locate(places, stack, &made))
			made.function = FUNCTION_TOTAL;
		*place = places->count;
		places->all[places->count++] = made;
	}
	return places->all[*place].function == FUNCTION_TOTAL ? NO_NUMBER : *place;
}

const struct flow_graph *code_graph_of(struct code_places *places, uint32_t function)
{
	uint32_t *place = number_map_place(&places->graph_of, function);
	if (*place == NO_NUMBER) {
		*place = places->graph_count;
		places->graphs = memory_room(places->graphs, places->graph_count, sizeof(struct flow_graph *));
		places->graphs[places->graph_count++] = flow_graph_create(places->resolver, places->data, function);
	}
	return places->graphs[*place];
}
