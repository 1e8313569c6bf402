/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which load objects are missing, and how it is said. */
#include "missing_objects.h"
#include "base_name.h"
#include "plain_text.h"
#include "storage.h"
#include <inttypes.h>
#include <stdlib.h>

#define NAMED_MOST 3 /* in one line */

static const char *reason(enum code_file file)
{
	switch (file) {
	case FILE_ABSENT:
		return "neither archived nor on this machine";
	case FILE_DIFFERS:
		return "not the file that was recorded";
	case FILE_UNREADABLE:
		return "not a load object";
	case FILE_NOT_SOUGHT:
	case FILE_FOUND:
		break;
	}
	return 0;
}

static bool has_sum(const struct stack_sums *sums, uint32_t stack)
{
	for (unsigned m = 0; m < sums->metrics->count; m++)
		if (sums->of[m] && sums->of[m][stack])
			return true;
	return false;
}

/* By object: whether one of the stacks that are marked has a frame in it. A caller's number is less than its callee's. */
static bool *objects_of(const struct data *data, bool *stacks)
{
	bool *objects = memory_new(data->object_count, sizeof *objects);
	for (uint32_t s = data->stack_count; s-- > 1;) {
		const struct stack *stack = &data->stacks[s];
		if (!stacks[s])
			continue;
		stacks[stack->parent] = true;
		if (!(stack->flags & STACK_ROOT))
			objects[data->addresses[stack->address].object] = true;
	}
	return objects;
}

static char *line_of(struct resolver *resolver, const struct data *data, const bool *shown)
{
	char *text = 0;
	size_t size;
	uint32_t count = 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return 0;
	for (uint32_t o = 0; o < data->object_count; o++) {
		const char *why = shown[o] ? reason(resolver_object_file(resolver, o)) : 0;
		if (why && count++ < NAMED_MOST)
			fprintf(file, "%s%s (%s)", count == 1 ? "Functions without names are of " : ", ",
				base_name(data->objects[o].path), why);
	}
	if (count > NAMED_MOST)
		fprintf(file, ", %" PRIu32 " more (header names them)", count - NAMED_MOST);
	fclose(file);
	if (!count) {
		free(text);
		return 0;
	}
	return text;
}

char *missing_objects_line(struct resolver *resolver, const struct data *data, const struct stack_sums *sums)
{
	bool *stacks = memory_new(data->stack_count, sizeof *stacks);
	for (uint32_t s = 0; s < sums->stack_count && s < data->stack_count; s++)
		stacks[s] = has_sum(sums, s);
	bool *shown = objects_of(data, stacks);
	char *line = line_of(resolver, data, shown);
	free(stacks);
	free(shown);
	return line;
}

bool missing_objects_warn(struct resolver *resolver, const struct data *data,
	const struct loaded_experiment *experiment, struct facts *facts)
{
	bool *needed = memory_new(data->object_count, sizeof *needed), any = false;
	for (uint32_t local = 0; local < experiment->stack_of_count; local++) {
		const struct stack *stack = &data->stacks[experiment->stack_of[local]];
		if (experiment->stack_of[local] && !(stack->flags & STACK_ROOT))
			needed[data->addresses[stack->address].object] = true;
	}
	for (uint32_t o = 0; o < data->object_count; o++) {
		const char *why = needed[o] ? reason(resolver_object_file(resolver, o)) : 0;
		if (!why)
			continue;
		any = true;
		fact_remark(facts, "Warning",
			table_text(&facts->table, "load object %s: %s: its functions have no names",
				data->objects[o].path, why));
	}
	free(needed);
	return any;
}
