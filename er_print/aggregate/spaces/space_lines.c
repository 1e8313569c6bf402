/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up the line of each instruction. */
#include "space_lines.h"

/* Takes the line of an instruction of the function in. */
static void add_line(
	struct space_lines *lines, struct resolver *resolver, const struct function *function, uint64_t offset)
{
	struct frame frames[FRAMES_MAX];
	unsigned count = resolver_address_frames(resolver, function->object, function->start + offset, frames);
	if (!count || !frames[count - 1].line)
		return;
	const struct source_line *row = resolver_line(resolver, frames[count - 1].line);
	if (row->line == NO_LINE || !row->file || row->file != function->file)
		return;
	lines->first = !lines->first || row->line < lines->first ? row->line : lines->first;
	lines->last = row->line > lines->last ? row->line : lines->last;
}

bool space_lines_find(struct space_lines *lines, const struct space_model *model, uint32_t space)
{
	const struct code_space *row = &model->table.spaces[space];
	const struct flow_graph *graph = row->pair_count ? code_graph_of(model->places, row->function) : 0;
	const struct function *function = resolver_function(model->resolver, row->function);
	*lines = (struct space_lines){.file = function->file};
	for (uint32_t p = row->pair; p < row->pair + row->pair_count; p++) {
		const struct space_pair *pair = &model->table.pairs[p];
		uint32_t instruction, block = graph ? flow_graph_block(graph, pair->from, &instruction) : NO_BLOCK;
		add_line(lines, model->resolver, function, pair->from);
		for (uint32_t i = pair->first + 1; block != NO_BLOCK && i < pair->end; i++)
			add_line(lines, model->resolver, function, flow_graph_offset(graph, block, i));
	}
	return lines->first;
}
