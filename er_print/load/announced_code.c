/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts announced functions into layers, with what was saved of them. */
#include "announced_code.h"
#include "input.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

enum { LAYERS_MAX = 1000, ROW = 8 };

static uint32_t number_at(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t dynamic_function_line(const struct dynamic_function *function, uint64_t address)
{
	uint64_t offset = address - function->start;
	uint64_t low = FIRST_WHERE(i, function->line_count, number_at(function->lines + i * ROW) > offset);
	return low ? number_at(function->lines + (low - 1) * ROW + 4) : 0;
}

static const struct announced_file *file_of(struct announced_code *code, const char *owner)
{
	/* The reader keeps one text for all functions of a file. */
	for (uint32_t i = 0; i < code->file_count; i++)
		if (code->files[i].owner == owner)
			return &code->files[i];
	code->files = memory_room(code->files, code->file_count, sizeof *code->files);
	struct announced_file *file = &code->files[code->file_count++];
	*file = (struct announced_file){.owner = owner};
	file->bytes = input_whole(owner, ANNOUNCED_CODE_FILE, &file->size);
	if (!file->bytes)
		file->size = 0;
	return file;
}

static const unsigned char *bytes_at(const struct announced_file *file, uint64_t offset, uint64_t size)
{
	return size && offset <= file->size && size <= file->size - offset ? (const unsigned char *)file->bytes + offset
									   : 0;
}

static struct dynamic_function describe(struct announced_code *code, const struct announced_function *announced)
{
	const struct announced_file *file = file_of(code, announced->owner);
	struct dynamic_function function = {.start = announced->address,
		.size = announced->size,
		.name = announced->name,
		.alias = *announced->alias ? announced->alias : 0,
		.source = *announced->source ? announced->source : 0,
		.code = bytes_at(file, announced->code_offset, announced->size),
		.lines = bytes_at(file, announced->lines_offset, announced->lines_size)};
	if (function.lines)
		function.line_count = announced->lines_size / ROW;
	return function;
}

/* The first layer that ends before the address; functions come ascending. */
static uint32_t layer_for(struct announced_code *code, uint64_t address)
{
	for (uint32_t l = 0; l < code->layer_count; l++) {
		const struct perf_map *layer = &code->layers[l];
		const struct dynamic_function *last = &layer->functions[layer->count - 1];
		if (last->start + last->size <= address)
			return l + 1;
	}
	if (code->layer_count == LAYERS_MAX)
		return 0;
	code->layers = memory_room(code->layers, code->layer_count, sizeof *code->layers);
	code->layers[code->layer_count++] = (struct perf_map){0};
	return code->layer_count;
}

static void place(struct announced_code *code, const struct announced_function *announced, size_t index)
{
	uint32_t number = layer_for(code, announced->address);
	code->layer_of[index] = number;
	code->ranges[index] = (struct mapped_segment){.address = announced->address,
		.size = announced->size,
		.from_generation = announced->from_generation,
		.to_generation = announced->to_generation};
	if (!number)
		return;
	struct perf_map *layer = &code->layers[number - 1];
	layer->functions = memory_room(layer->functions, layer->count, sizeof *layer->functions);
	layer->functions[layer->count++] = describe(code, announced);
}

void announced_code_read(struct announced_code *code, const struct experiment *experiment)
{
	*code = (struct announced_code){0};
	if (!experiment->function_count)
		return;
	code->ranges = memory_new(experiment->function_count, sizeof *code->ranges);
	code->layer_of = memory_new(experiment->function_count, sizeof *code->layer_of);
	for (size_t i = 0; i < experiment->function_count; i++)
		place(code, &experiment->functions[i], i);
	segments_sort(&code->segments, code->ranges, experiment->function_count);
}

void announced_code_free(struct announced_code *code)
{
	for (uint32_t l = 0; l < code->layer_count; l++)
		perf_map_free(&code->layers[l]);
	for (uint32_t f = 0; f < code->file_count; f++)
		free(code->files[f].bytes);
	free(code->layers);
	free(code->files);
	free(code->ranges);
	free(code->layer_of);
	segments_free(&code->segments);
}

uint32_t announced_code_layer(const struct announced_code *code, uint64_t address, uint32_t generation)
{
	const struct mapped_segment *found =
		code->layer_count ? segments_find(&code->segments, address, generation) : 0;
	return found ? code->layer_of[found - code->ranges] : 0;
}

const struct dynamic_function *announced_code_find(const struct announced_code *code, uint32_t layer, uint64_t address)
{
	return layer >= 1 && layer <= code->layer_count ? perf_map_find(&code->layers[layer - 1], address) : 0;
}
