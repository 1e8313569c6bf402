/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds for every stack that a clock tick may have the stack that it is charged to: the same callers, and perhaps another
   instruction of the leaf's function. */
#include "charged_instruction.h"
#include "kept_names.h"
#include "resolver_state.h"
#include "search.h"
#include <stdlib.h>

static int by_place(const void *left, const void *right)
{
	const struct charged *a = left, *b = right;
	return COMPARE(a->object, b->object) ?: COMPARE(a->offset, b->offset);
}

/* Only ticks, other samples and interrupted callers have an exact address. */
static bool may_be_of_tick(const struct data *data, const struct stack *stack)
{
	return stack->flags & STACK_EXACT && !(stack->flags & STACK_ROOT) &&
	       data->addresses[stack->address].object != OBJECT_INDEX_TOTAL;
}

/* The addresses where ticks may have found threads, each once, in order. The caller frees. */
static struct charged *collect(const struct data *data, size_t *count)
{
	struct charged *all = memory_new(data->address_count, sizeof *all);
	bool *met = memory_new(data->address_count, sizeof *met);
	*count = 0;
	for (uint32_t s = 1; s < data->stack_count; s++) {
		uint32_t address = data->stacks[s].address;
		if (!may_be_of_tick(data, &data->stacks[s]) || met[address])
			continue;
		met[address] = true;
		struct code_address code = data->addresses[address];
		all[(*count)++] = (struct charged){code.object, address, code.offset, code.offset, code.offset};
	}
	free(met);
	qsort(all, *count, sizeof *all, by_place);
	return all;
}

/* The code around an address, from its function's first byte to its last. False: there is none to be read. */
static bool function_around(struct resolver *resolver, uint32_t object, uint64_t offset, uint64_t *start, uint64_t *end)
{
	const struct dynamic_function *dynamic = data_dynamic_function(resolver->data, object, offset);
	if (dynamic) {
		*start = dynamic->start;
		*end = dynamic->start + dynamic->size;
		return dynamic->code;
	}
	struct code_object *found = resolver_found(resolver, object);
	if (!found || !found->file)
		return false;
	if (!kept_names_code(found->kept, offset, start, end)) {
		const struct symbols *symbols = &resolver_opened(resolver, object)->symbols;
		uint32_t number = symbols_find(symbols, offset);
		if (number == NO_INTERVAL)
			return false;
		*start = symbols->array[number].start;
		*end = symbols->array[number].end;
		kept_names_add_code(found->kept, symbols, offset);
	}
	return *start <= offset && offset < *end;
}

static void find_charged(struct resolver *resolver, struct charged *all, size_t count)
{
	uint64_t start, end;
	for (size_t first = 0, after; first < count; first = after) {
		after = first + 1;
		if (!function_around(resolver, all[first].object, all[first].offset, &start, &end))
			continue;
		while (after < count && all[after].object == all[first].object && all[after].offset < end)
			after++;
		charged_instructions_find(resolver, start, end, &all[first], after - first);
	}
}

/* The stack that is charged in place of one, if another instruction of its leaf is. */
static uint32_t charged_stack(struct data *data, uint32_t stack, const struct charged *charged, uint64_t offset)
{
	if (offset == charged->offset)
		return stack;
	return data_stack_at(data, stack, data_address(data, charged->object, offset));
}

void resolver_place_ticks(struct resolver *resolver)
{
	struct data *data = resolver->data;
	size_t count;
	struct charged *all = collect(data, &count);
	uint32_t addresses = data->address_count, stacks = data->stack_count;
	struct charged **of = memory_new(addresses, sizeof *of);
	find_charged(resolver, all, count);
	for (size_t i = 0; i < count; i++)
		of[all[i].address] = &all[i];
	struct tick_stacks *places = &data->tick_stacks;
	free(places->user);
	free(places->kernel);
	places->user = memory_new(stacks, sizeof *places->user);
	places->kernel = memory_new(stacks, sizeof *places->kernel);
	for (uint32_t s = 0; s < stacks; s++) {
		const struct charged *charged =
			may_be_of_tick(data, &data->stacks[s]) ? of[data->stacks[s].address] : 0;
		places->user[s] = charged ? charged_stack(data, s, charged, charged->user) : s;
		places->kernel[s] = charged ? charged_stack(data, s, charged, charged->kernel) : s;
	}
	places->count = stacks;
	free(of);
	free(all);
}
