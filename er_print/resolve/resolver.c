/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From stacks and addresses to frames; each address is resolved once. */
#include "disassembler.h"
#include "kept_names.h"
#include "progress.h"
#include "resolver_state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t object_of_type(const struct data *data, enum load_object_type type)
{
	for (uint32_t i = 0; i < data->object_count; i++)
		if (data->objects[i].type == type)
			return i;
	return 0;
}

struct resolver *resolver_create(struct data *data)
{
	struct resolver *resolver = memory_new(1, sizeof *resolver);
	resolver->data = data;
	functions_create(
		&resolver->functions, object_of_type(data, OBJECT_TOTAL), object_of_type(data, OBJECT_UNKNOWN));
	builds_find(&resolver->builds, data);
	return resolver;
}

void resolver_destroy(struct resolver *resolver)
{
	if (!resolver)
		return;
	disassembler_free(resolver->disassembler);
	for (uint32_t i = 0; i < resolver->object_count; i++) {
		struct code_object *object = resolver->objects[i];
		kept_names_close(object->kept, object, &resolver->functions, resolver->kept_limit);
		code_object_close(resolver->objects[i]);
		free(resolver->objects[i]);
	}
	free(resolver->objects);
	functions_free(&resolver->functions);
	builds_free(&resolver->builds);
	free(resolver->resolved);
	free(resolver->call_address);
	free(resolver->pool);
	free(resolver);
}

void resolver_set_search_path(struct resolver *resolver, const struct search_path *path)
{
	resolver->search_path = path;
}

void resolver_keep_names(struct resolver *resolver, uint64_t limit)
{
	resolver->kept_limit = limit;
}

void resolver_set_debuginfod(struct resolver *resolver, bool on)
{
	resolver->debuginfod = on;
}

struct code_object *resolver_object(struct resolver *resolver, uint32_t object)
{
	if (object >= resolver->object_count) {
		uint32_t count = resolver->data->object_count;
		resolver->objects = memory_resize(resolver->objects, count, sizeof *resolver->objects);
		for (; resolver->object_count < count; resolver->object_count++) {
			struct code_object *new = memory_new(1, sizeof *new);
			code_object_create(new, resolver->data, resolver->object_count);
			resolver->objects[resolver->object_count] = new;
		}
	}
	return resolver->objects[object];
}

void resolver_set_builds_apart(struct resolver *resolver, bool apart)
{
	resolver->builds.apart = apart;
}

uint32_t resolver_shown_object(const struct resolver *resolver, uint32_t object, uint32_t *builds)
{
	const struct builds *all = &resolver->builds;
	uint32_t first = all->apart || object >= all->object_count ? object : all->group_of[object];
	if (builds)
		*builds = all->apart || object >= all->object_count ? 1 : all->size_of[first];
	return first;
}

uint32_t resolver_function_object(const struct resolver *resolver, uint32_t function)
{
	return resolver_shown_object(resolver, resolver_function(resolver, function)->object, 0);
}

uint32_t resolver_next_build(const struct resolver *resolver, uint32_t function)
{
	const struct builds *all = &resolver->builds;
	uint32_t next = all->apart || function >= all->function_count ? NO_ID : all->next[function];
	return next == NO_ID ? 0 : next;
}

static bool is_file(const struct load_object *object)
{
	return object->type == OBJECT_FILE || object->type == OBJECT_VDSO;
}

static struct object_search search_of(const struct resolver *resolver)
{
	return (struct object_search){resolver->data, resolver->search_path, resolver->debuginfod};
}

struct code_object *resolver_found(struct resolver *resolver, uint32_t object)
{
	const struct load_object *described = &resolver->data->objects[object];
	if (!is_file(described))
		return 0;
	struct code_object *found = resolver_object(resolver, object);
	if (found->state == FILE_NOT_SOUGHT) {
		const struct object_search search = search_of(resolver);
		code_object_find(found, described, &search);
		found->kept = resolver->kept_limit ? kept_names_open(found) : 0;
	}
	return found;
}

struct code_object *resolver_opened(struct resolver *resolver, uint32_t object)
{
	const struct load_object *described = &resolver->data->objects[object];
	if (!is_file(described))
		return 0;
	struct code_object *opened = resolver_found(resolver, object);
	const struct object_search search = search_of(resolver);
	progress_show(described->path, 0, 0);
	code_object_open(opened, described, &search, &resolver->functions.paths);
	return opened;
}

enum code_file resolver_object_file(struct resolver *resolver, uint32_t object)
{
	const struct code_object *found = resolver_found(resolver, object);
	return found ? found->state : FILE_FOUND;
}

static unsigned one_frame(struct resolver *resolver, uint32_t function, struct frame *frame)
{
	*frame = (struct frame){.function = function,
		.own = function,
		.line = functions_line(&resolver->functions, function, 0, NO_LINE),
		.address = UINT32_MAX};
	return 1;
}

/* Code that a perf map or the program announced. */
static unsigned dynamic_frame(struct resolver *resolver, uint32_t object, uint64_t address, struct frame *frame)
{
	const struct dynamic_function *found = data_dynamic_function(resolver->data, object, address);
	bool kernel = resolver->data->objects[object].layer == LAYER_KERNEL;
	if (!found && kernel) {
		resolver_object_frame(resolver, object, frame);
		frame->kernel = true;
		return 1;
	}
	if (!found)
		return one_frame(resolver, FUNCTION_UNKNOWN, frame);
	uint32_t file = found->source ? strings_number(&resolver->functions.paths, found->source) : 0;
	uint32_t line = found->source ? dynamic_function_line(found, address) : NO_LINE;
	uint32_t first_line = found->first_line ? found->first_line : dynamic_function_line(found, found->start);
	uint32_t function =
		functions_physical(&resolver->functions, &(struct function_facts){.object = object,
								 .name = found->name,
								 .start = found->start,
								 .size = found->size,
								 .file = file,
								 .first_line = found->source ? first_line : 0});
	*frame = (struct frame){.function = function,
		.line = functions_line(&resolver->functions, function, line ? file : 0, line),
		.address = UINT32_MAX,
		.kernel = kernel};
	return 1;
}

/* An address of <Total> is no code: the function that it stands for. */
static uint32_t function_of_total(uint64_t offset)
{
	uint64_t state = offset - STATE_OFFSET(0), in_openmp = offset - OMP_OFFSET(0);
	if (offset == WOKEN_OFFSET)
		return FUNCTION_WOKEN;
	if (in_openmp < OMP_STATES)
		return FUNCTION_OMP + (uint32_t)in_openmp;
	return state < FUNCTION_OMP - FUNCTION_STATES ? FUNCTION_STATES + (uint32_t)state : FUNCTION_UNKNOWN;
}

static unsigned own_frames(struct resolver *resolver, uint32_t object, uint64_t offset, struct frame frames[FRAMES_MAX])
{
	if (object >= resolver->data->object_count)
		return one_frame(resolver, FUNCTION_UNKNOWN, frames);
	if (object == OBJECT_INDEX_TOTAL)
		return one_frame(resolver, function_of_total(offset), frames);
	if (resolver->data->objects[object].type == OBJECT_DYNAMIC)
		return dynamic_frame(resolver, object, offset, frames);
	struct code_object *found = resolver_found(resolver, object);
	if (!found)
		return one_frame(resolver, FUNCTION_UNKNOWN, frames);
	unsigned count = kept_names_frames(found->kept, object, &resolver->functions, offset, frames);
	if (count)
		return count;
	count = code_object_frames(resolver_opened(resolver, object), &resolver->functions, offset, frames);
	kept_names_add(found->kept, offset, frames, count);
	return count;
}

/* The frame as it is shown: a line of another build's function becomes one of the function that both are. */
static void show(struct resolver *resolver, struct frame *frame)
{
	struct functions *functions = &resolver->functions;
	frame->own = frame->function;
	frame->address = UINT32_MAX;
	frame->function = builds_function(resolver, frame->own);
	if (frame->function != frame->own && frame->line) {
		struct source_line line = functions->lines[frame->line];
		frame->line = functions_line(functions, frame->function, line.file, line.line);
	}
}

unsigned resolver_address_frames(
	struct resolver *resolver, uint32_t object, uint64_t offset, struct frame frames[FRAMES_MAX])
{
	unsigned count = own_frames(resolver, object, offset, frames);
	for (unsigned i = 0; i < count; i++)
		show(resolver, &frames[i]);
	return count;
}

/* Room for what is kept by address: addresses are added while stacks are resolved. */
static void make_room(struct resolver *resolver, uint32_t address)
{
	if (address < resolver->address_count)
		return;
	uint32_t old = resolver->address_count, count = address + address / 2 + 1024;
	resolver->resolved = memory_resize(resolver->resolved, count, sizeof *resolver->resolved);
	resolver->call_address = memory_resize(resolver->call_address, count, sizeof *resolver->call_address);
	memset(resolver->resolved + old, 0, (count - old) * sizeof *resolver->resolved);
	memset(resolver->call_address + old, 0, (count - old) * sizeof *resolver->call_address);
	resolver->address_count = count;
}

/* The address of a call's last byte, from where the call returns to. */
static uint32_t call_address(struct resolver *resolver, uint32_t address)
{
	make_room(resolver, address);
	/* Kept with 1 added, so that memory that was only cleared says "not yet". */
	if (!resolver->call_address[address]) {
		struct code_address after = resolver->data->addresses[address];
		resolver->call_address[address] =
			1 + (after.offset ? data_address(resolver->data, after.object, after.offset - 1) : address);
	}
	return resolver->call_address[address] - 1;
}

static const struct resolved *resolve(struct resolver *resolver, uint32_t address)
{
	make_room(resolver, address);
	struct resolved *resolved = &resolver->resolved[address];
	if (resolved->count)
		return resolved;
	struct frame frames[FRAMES_MAX];
	struct code_address code = resolver->data->addresses[address];
	unsigned count = resolver_address_frames(resolver, code.object, code.offset, frames);
	resolved->first = resolver->pool_count;
	resolved->count = count;
	for (unsigned i = 0; i < count; i++) {
		frames[i].address = address;
		resolver->pool = memory_room(resolver->pool, resolver->pool_count, sizeof *resolver->pool);
		resolver->pool[resolver->pool_count++] = frames[i];
	}
	return resolved;
}

static const struct function *outermost_function(const struct resolver *resolver, const struct resolved *resolved)
{
	return resolver->functions.array[resolver->pool[resolved->first + resolved->count - 1].own];
}

/* Whether the address is the first byte of code that nobody calls: the kernel and makecontext make it a return address, so
   the byte before it, where a call would be, belongs to something else. */
static bool is_made_return_address(struct resolver *resolver, uint32_t address, const struct resolved *call)
{
	static const char *const names[] = {"__restore_rt", "__kernel_rt_sigreturn", "__start_context"};
	uint64_t offset = resolver->data->addresses[address].offset;
	const struct function *before = outermost_function(resolver, call);
	if (before->start + before->size > offset)
		return false;
	const struct function *function = outermost_function(resolver, resolve(resolver, address));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (function->start == offset && strcmp(function->mangled, names[i]) == 0)
			return true;
	return false;
}

unsigned resolver_frames(struct resolver *resolver, uint32_t stack, struct frame frames[FRAMES_MAX])
{
	const struct data *data = resolver->data;
	if (stack == 0 || stack >= data->stack_count)
		return one_frame(resolver, FUNCTION_NO_STACK, frames);
	const struct stack *leaf = &data->stacks[stack];
	if (leaf->flags & STACK_ROOT)
		return one_frame(resolver, resolver_root_function(leaf->address), frames);
	uint32_t address = leaf->flags & STACK_EXACT ? leaf->address : call_address(resolver, leaf->address);
	const struct resolved *resolved = resolve(resolver, address);
	if (address != leaf->address && is_made_return_address(resolver, leaf->address, resolved))
		address = leaf->address;
	resolved = resolve(resolver, address); /* again: what was resolved in between may have moved it */
	for (unsigned i = 0; i < resolved->count; i++) {
		struct frame *frame = &frames[leaf->flags & STACK_REVERSED ? resolved->count - 1 - i : i];
		*frame = resolver->pool[resolved->first + i];
		frame->run_time = leaf->flags & STACK_RUN_TIME || resolver->functions.array[frame->function]->wraps;
	}
	return resolved->count;
}

bool resolver_object_holds(struct resolver *resolver, uint32_t object, uint64_t offset)
{
	const struct code_object *found = object < resolver->data->object_count ? resolver_found(resolver, object) : 0;
	return found && found->file && elf_file_holds(found->file, offset);
}

uint64_t resolver_file_offset(struct resolver *resolver, uint32_t object, uint64_t address)
{
	const struct code_object *found = object < resolver->data->object_count ? resolver_found(resolver, object) : 0;
	uint64_t size;
	const unsigned char *at = found && found->file ? elf_file_at(found->file, address, &size) : 0;
	return at ? (uint64_t)(at - (const unsigned char *)found->file->bytes) : address;
}

const struct data_variable *resolver_variable(struct resolver *resolver, uint32_t object, uint64_t offset)
{
	struct code_object *opened = object < resolver->data->object_count ? resolver_opened(resolver, object) : 0;
	if (!opened)
		return 0;
	variables_read(&opened->variables, opened->file, opened->debug, &opened->units);
	return variables_find(&opened->variables, offset);
}

uint32_t resolver_function_count(const struct resolver *resolver)
{
	return resolver->functions.count;
}

const struct function *resolver_function(const struct resolver *resolver, uint32_t function)
{
	return resolver->functions.array[function];
}

const char *resolver_function_alias(const struct resolver *resolver, uint32_t function)
{
	const struct function *found = resolver_function(resolver, function);
	const struct dynamic_function *dynamic = data_dynamic_function(resolver->data, found->object, found->start);
	return dynamic && dynamic->alias ? dynamic->alias : "";
}

uint32_t resolver_line_count(const struct resolver *resolver)
{
	return resolver->functions.line_count;
}

const struct source_line *resolver_line(const struct resolver *resolver, uint32_t line)
{
	return &resolver->functions.lines[line];
}

uint32_t resolver_file_count(const struct resolver *resolver)
{
	return resolver->functions.paths.count;
}

const char *resolver_file(const struct resolver *resolver, uint32_t file)
{
	return resolver->functions.paths.text[file];
}

const char *resolver_object_remark(struct resolver *resolver, uint32_t object)
{
	return resolver_object(resolver, object)->remark;
}

const char *resolver_object_name(struct resolver *resolver, uint32_t object)
{
	return resolver_object(resolver, object)->name;
}
