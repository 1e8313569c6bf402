/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds instructions by disassembling each function from its start to its last call site. */
#include "instruction_starts.h"
#include "search.h"

#include <stdlib.h>

struct place {
	uint32_t object, address;
	uint64_t offset;
};

static int by_offset(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	return COMPARE(a->object, b->object) ?: COMPARE(a->offset, b->offset) ?: COMPARE(a->address, b->address);
}

/* The addresses in the tree, sorted; and of each the outermost frame's function. */
static struct place *collect_places(
	const struct path_tree *tree, const struct data *data, struct instruction_starts *starts, size_t *count)
{
	struct place *places = memory_new(starts->address_count, sizeof *places);
	bool *met = memory_new(starts->address_count, sizeof *met);
	*count = 0;
	for (uint32_t node = 1; node < tree->count; node++) {
		const struct frame *frame = &tree->nodes[node].frame;
		if (frame->address == NO_ADDRESS || frame->address >= starts->address_count)
			continue;
		if (!frame->inlined)
			starts->function_of[frame->address] = frame->own;
		if (met[frame->address])
			continue;
		met[frame->address] = true;
		const struct code_address *code = &data->addresses[frame->address];
		places[(*count)++] = (struct place){code->object, frame->address, code->offset};
	}
	free(met);
	qsort(places, *count, sizeof *places, by_offset);
	return places;
}

/* Gives the places from `first` on that lie in one function their instructions. Returns how many were done. */
static size_t walk_function(struct session *session, const struct place *places, size_t first, size_t count,
	struct instruction_starts *starts)
{
	const struct function *function =
		resolver_function(session->resolver, starts->function_of[places[first].address]);
	size_t last = first;
	while (last < count && places[last].object == places[first].object &&
		starts->function_of[places[last].address] == starts->function_of[places[first].address])
		last++;
	uint64_t end = function->start + function->size, at = function->start;
	if (places[first].offset < at || places[last - 1].offset >= end)
		return last - first;
	struct instruction instruction;
	struct error error;
	for (size_t p = first; p < last;) {
		if (!resolver_disassemble(session->resolver, places[first].object, at, end, &instruction, &error))
			break;
		for (uint32_t start = places[p].address; p < last && places[p].offset < at + instruction.size; p++) {
			starts->start_of[places[p].address] = start;
			starts->offset_of[places[p].address] = at;
		}
		at += instruction.size;
	}
	return last - first;
}

struct instruction_starts instruction_starts_find(struct session *session)
{
	const struct path_tree *tree = session_tree(session);
	uint32_t addresses = session->data->address_count;
	struct instruction_starts starts = {
		.address_count = addresses,
		.start_of = memory_new(addresses, sizeof *starts.start_of),
		.offset_of = memory_new(addresses, sizeof *starts.offset_of),
		.function_of = memory_new(addresses, sizeof *starts.function_of),
	};
	for (uint32_t a = 0; a < addresses; a++) {
		starts.start_of[a] = a;
		starts.offset_of[a] = session->data->addresses[a].offset;
		starts.function_of[a] = FUNCTION_UNKNOWN;
	}
	size_t count;
	struct place *places = collect_places(tree, session->data, &starts, &count);
	for (size_t p = 0; p < count;)
		p += walk_function(session, places, p, count, &starts);
	free(places);
	starts.names = distinct_names_of_tree(session, tree, starts.function_of, addresses);
	return starts;
}

void instruction_starts_free(struct instruction_starts *starts)
{
	free(starts->start_of);
	free(starts->offset_of);
	free(starts->function_of);
	distinct_names_free(&starts->names);
}
