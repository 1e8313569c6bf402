/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps one experiment's stack nodes to the common tree: from a pc in an address space to an address in a load object. */
#include "data_tables.h"
#include "omp_state.h"
#include "segments.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

struct mapper {
	struct data *data;
	uint32_t experiment;
	const struct experiment *file;
	struct segments segments;
	uint32_t *object_of;  /* by segment in file->segments; NO_ID: not asked yet */
	uint32_t *generation; /* by local node */
	const struct announced_code *announced;
	uint32_t *layer_object; /* by layer of the announced code, and 0: of its perf map; NO_ID: not asked yet */
	uint32_t kernel;        /* object; NO_ID: not asked for yet */
	uint32_t *stack_of;
	/* By local node: the stack as the thread had it; 0: the other one. */
	uint32_t *native_of;
	uint32_t *begins; /* by local node: what follows is a region.s or task.s function, after this object; else 0 */
	bool *tasks;      /* by local node: it is a task's */
};

/* A node on a damaged path hangs below this. */
static uint32_t failed_root(struct data *data)
{
	return data_stack(data, &(struct stack){0, ROOT_FAILED, STACK_ROOT, 0});
}

uint32_t data_segment_object(struct data *data, uint32_t experiment, const struct mapped_segment *segment)
{
	uint32_t object =
		data_object(data, &(struct load_object){.type = segment->path[0] == '[' ? OBJECT_VDSO : OBJECT_FILE,
					  .path = segment->path,
					  .build_id = segment->build_id,
					  .checksum = segment->checksum,
					  .experiment = experiment});
	struct load_object *added = &data->objects[object];
	data_object_in_run(data, object, experiment);
	if (!added->archive)
		added->archive = data_archived_object(data, experiment, segment);
	return object;
}

static uint32_t segment_object(struct mapper *mapper, const struct mapped_segment *segment)
{
	uint32_t *object = &mapper->object_of[segment - mapper->file->segments];
	if (*object == NO_ID)
		*object = data_segment_object(mapper->data, mapper->experiment, segment);
	return *object;
}

/* Whether a run-time announced code there. */
static bool is_dynamic(const struct mapper *mapper, uint64_t pc)
{
	return perf_map_find(&data_tables(mapper->data)->maps[mapper->experiment], pc) != 0;
}

static uint32_t dynamic_address(struct mapper *mapper, uint32_t layer, uint64_t pc)
{
	uint32_t *object = &mapper->layer_object[layer];
	if (*object == NO_ID)
		*object = data_object(mapper->data, &(struct load_object){.type = OBJECT_DYNAMIC,
							    .path = "<DYNAMIC_FUNCTIONS>",
							    .experiment = mapper->experiment,
							    .layer = layer});
	return data_address(mapper->data, *object, pc);
}

static uint32_t kernel_address(struct mapper *mapper, uint64_t pc)
{
	if (mapper->kernel == NO_ID) {
		mapper->kernel = data_object(
			mapper->data, &(struct load_object){.type = OBJECT_DYNAMIC,
					      .path = "<kernel>",
					      .experiment = mapper->data->experiments[mapper->experiment].founder,
					      .layer = LAYER_KERNEL});
		data_object_in_run(mapper->data, mapper->kernel, mapper->experiment);
	}
	return data_address(mapper->data, mapper->kernel, pc);
}

/* A return address may be the first byte after its object: the call before it says where it belongs. */
static uint32_t node_address(struct mapper *mapper, const struct stack_node *node, uint32_t generation)
{
	if (node->flags & NODE_KERNEL)
		return kernel_address(mapper, node->pc);
	uint64_t within = node->flags & NODE_EXACT ? node->pc : node->pc - 1;
	uint32_t layer = announced_code_layer(mapper->announced, within, generation);
	if (layer)
		return dynamic_address(mapper, layer, node->pc);
	const struct mapped_segment *segment = segments_find(&mapper->segments, within, generation);
	/* Some run-times keep their code in a mapped file, but no linker made it. */
	if ((!segment || !*segment->build_id) && is_dynamic(mapper, within))
		return dynamic_address(mapper, 0, node->pc);
	if (!segment)
		return data_address(mapper->data, OBJECT_INDEX_UNKNOWN, node->pc);
	return data_address(
		mapper->data, segment_object(mapper, segment), node->pc - segment->address + segment->file_address);
}

static uint32_t object_at(const struct data *data, uint32_t stack)
{
	const struct stack *own = &data->stacks[stack];
	return own->flags & STACK_ROOT ? OBJECT_INDEX_TOTAL : data->addresses[own->address].object;
}

/* Nothing is shown for the join itself. The run-time that called the region's function has some frames before that; where it is
   part of the program they cannot be told from the program's. */
static uint32_t map_join(struct mapper *mapper, uint32_t id, const struct stack_node *node)
{
	struct data *data = mapper->data;
	uint32_t base = node->pc < id ? (uint32_t)node->pc : 0, outer = node->parent < id ? node->parent : 0;
	uint32_t stack = mapper->stack_of[outer], native = mapper->stack_of[base];
	mapper->generation[id] = mapper->generation[outer];
	if (!stack || !native)
		return failed_root(data);
	uint32_t run_time = object_at(data, native);
	mapper->begins[id] = run_time == object_at(data, stack) ? 0 : run_time;
	data->objects[mapper->begins[id]].openmp = mapper->begins[id] > OBJECT_INDEX_UNKNOWN;
	mapper->tasks[id] = node->flags & NODE_TASK;
	mapper->native_of[id] = data_native_stack(data, native);
	return stack;
}

/* The stack up to the call, and what the thread waited at. */
static uint32_t map_wait(struct mapper *mapper, uint32_t id, const struct stack_node *node)
{
	struct data *data = mapper->data;
	uint32_t own = (uint32_t)node->pc, call = node->parent < id ? node->parent : 0;
	uint32_t native = own < id ? mapper->stack_of[own] : 0;
	mapper->generation[id] = mapper->generation[call];
	if (!mapper->stack_of[call] || !native)
		return failed_root(data);
	struct stack stack = {.parent = mapper->stack_of[call],
		.address = data_address(data, OBJECT_INDEX_TOTAL, OMP_OFFSET((uint64_t)omp_state_at(node->pc >> 32))),
		.flags = STACK_EXACT,
		.native = data_native_stack(data, native)};
	mapper->native_of[id] = stack.native;
	return data_stack(data, &stack);
}

static uint32_t map_node(struct mapper *mapper, uint32_t id)
{
	const struct stack_node *node = experiment_stack_node(mapper->file, id);
	if (!node)
		return 0;
	if (node->flags & NODE_ROOT) {
		uint32_t kind = (uint32_t)((node->pc - 1) & 0xff);
		mapper->generation[id] = (uint32_t)((node->pc - 1) >> 8);
		return data_stack(
			mapper->data, &(struct stack){0, kind <= ROOT_FAILED ? kind : ROOT_FAILED, STACK_ROOT, 0});
	}
	if (node->flags & NODE_JOIN)
		return map_join(mapper, id, node);
	if (node->flags & NODE_WAIT)
		return map_wait(mapper, id, node);
	uint32_t below = node->parent < id ? node->parent : 0, parent = mapper->stack_of[below];
	mapper->generation[id] = mapper->generation[below];
	struct stack stack = {
		.parent = parent ? parent : failed_root(mapper->data),
		.address = node_address(mapper, node, mapper->generation[id]),
		.flags = (node->flags & NODE_EXACT ? STACK_EXACT : 0) |
			 (node->flags & NODE_HEURISTIC ? STACK_HEURISTIC : 0),
	};
	if (!mapper->native_of[below])
		return data_stack(mapper->data, &stack);
	struct stack native = stack;
	native.parent = mapper->native_of[below];
	stack.native = mapper->native_of[id] = data_stack(mapper->data, &native);
	if (mapper->begins[below] && mapper->data->addresses[stack.address].object == mapper->begins[below]) {
		mapper->begins[id] = mapper->begins[below];
		mapper->tasks[id] = mapper->tasks[below];
		stack.flags |= STACK_RUN_TIME;
	} else if (mapper->begins[below]) {
		stack.flags |= STACK_OUTLINED | (mapper->tasks[below] ? STACK_TASK : 0u);
	}
	return data_stack(mapper->data, &stack);
}

void data_map_stacks(struct data *data, uint32_t experiment)
{
	struct loaded_experiment *loaded = &data->experiments[experiment];
	struct mapper mapper = {.data = data, .experiment = experiment, .file = loaded->file, .kernel = NO_ID};
	uint32_t count = loaded->file->stacks.count;
	segments_sort(&mapper.segments, loaded->file->segments, loaded->file->segment_count);
	mapper.object_of = memory_new(loaded->file->segment_count, sizeof *mapper.object_of);
	memset(mapper.object_of, 0xff, loaded->file->segment_count * sizeof *mapper.object_of);
	mapper.announced = &data_tables(data)->announced[experiment];
	mapper.layer_object = memory_new(mapper.announced->layer_count + 1ull, sizeof *mapper.layer_object);
	memset(mapper.layer_object, 0xff, (mapper.announced->layer_count + 1ull) * sizeof *mapper.layer_object);
	mapper.generation = memory_new(count, sizeof *mapper.generation);
	mapper.native_of = memory_new(count, sizeof *mapper.native_of);
	mapper.begins = memory_new(count, sizeof *mapper.begins);
	mapper.tasks = memory_new(count, sizeof *mapper.tasks);
	mapper.stack_of = loaded->stack_of = memory_new(count, sizeof *loaded->stack_of);
	loaded->stack_of_count = count;
	for (uint32_t id = 1; id < count; id++)
		mapper.stack_of[id] = map_node(&mapper, id);
	free(mapper.generation);
	free(mapper.native_of);
	free(mapper.begins);
	free(mapper.tasks);
	free(mapper.object_of);
	free(mapper.layer_object);
	segments_free(&mapper.segments);
}
