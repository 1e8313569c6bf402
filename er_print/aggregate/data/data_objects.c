/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names each access by what is at its address. */
#include "data_objects.h"
#include "address_space.h"
#include "data_accesses.h"
#include "id_table.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct data_objects {
	struct data *data;
	struct resolver *resolver;
	struct data_accesses accesses;
	struct data_object *array;
	uint32_t count;
	struct id_table numbers;
};

static bool same(const void *context, uint32_t id, const void *key)
{
	const struct data_object *a = &((const struct data_objects *)context)->array[id], *b = key;
	return a->class == b->class && a->object == b->object && a->variable == b->variable && a->member == b->member &&
	       a->line == b->line;
}

static uint64_t hash_of(const struct data_object *object)
{
	uint64_t part = object->variable ? object->variable->start : object->line;
	return hash_pair((uint64_t)object->class << 32 | object->object, hash_pair(part, object->member));
}

static uint32_t number_of(struct data_objects *objects, const struct data_object *object)
{
	uint64_t hash = hash_of(object);
	uint32_t number = id_table_find(&objects->numbers, hash, same, objects, object);
	if (number != NO_ID)
		return number;
	objects->array = memory_room(objects->array, objects->count, sizeof *objects->array);
	objects->array[objects->count] = *object;
	if (object->member == NO_MEMBER)
		objects->array[objects->count].whole = objects->count;
	id_table_add(&objects->numbers, hash, objects->count);
	return objects->count++;
}

/* Functions that allocate for others: C++'s allocators, which call malloc. */
static bool is_allocator(const struct function *function)
{
	static const char *const names[] = {"operator new", "std::", "__gnu_cxx::", "void* std::"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(function->long_name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* The line that asked for a block: of the innermost frame that is no allocator; of the innermost if all are. */
static uint32_t line_that_allocated(const struct data_objects *objects, uint32_t stack)
{
	const struct data *data = objects->data;
	struct frame frames[FRAMES_MAX];
	uint32_t innermost = 0;
	for (uint32_t s = stack; s && !(data->stacks[s].flags & STACK_ROOT); s = data->stacks[s].parent) {
		unsigned count = resolver_frames(objects->resolver, s, frames);
		for (unsigned f = 0; f < count; f++)
			if (!is_allocator(resolver_function(objects->resolver, frames[f].function)))
				return frames[f].line;
		innermost = innermost ? innermost : frames[0].line;
	}
	return innermost;
}

/* On the machines that we know the upper half of the addresses is the kernel's. */
static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

/* The variable there, or the member of it. */
static uint32_t variable_number(struct data_objects *objects, struct data_object *object, uint64_t offset)
{
	object->variable = resolver_variable(objects->resolver, object->object, offset);
	object->class = object->variable ? DATA_VARIABLE : DATA_NAMELESS;
	object->whole = number_of(objects, object);
	object->member = object->variable ? data_variable_member(object->variable, offset) : NO_MEMBER;
	return object->member == NO_MEMBER ? object->whole : number_of(objects, object);
}

static bool is_collector(const struct data_objects *objects, const struct data_access *access, uint32_t object)
{
	/* The collector's own accesses are named, so that they are not taken for the program's. */
	const char *library = objects->data->experiments[access->experiment].file->settings->library;
	return *library && !strcmp(objects->data->objects[object].path, library);
}

static uint32_t identify(
	struct data_objects *objects, const struct data_access *access, const struct address_space *space)
{
	struct data_object object = {.class = DATA_UNKNOWN, .member = NO_MEMBER};
	uint64_t offset;
	if (is_kernel(access->address)) {
		object.class = DATA_KERNEL;
	} else if (access->stack) {
		object.class = DATA_BLOCK;
		object.line = line_that_allocated(objects, access->stack);
	} else if (address_space_object(space, access->address, access->time, &object.object, &offset)) {
		if (!is_collector(objects, access, object.object))
			return variable_number(objects, &object, offset);
		object = (struct data_object){.class = DATA_COLLECTOR, .member = NO_MEMBER};
	} else if (address_space_is_stack(space, access->address)) {
		object.class = DATA_STACK;
	}
	return number_of(objects, &object);
}

/* Accesses of one process come one after the other. */
static void identify_all(struct data_objects *objects)
{
	struct address_space *space = 0;
	uint32_t experiment = UINT32_MAX;
	for (uint64_t i = 0; i < objects->accesses.count; i++) {
		struct data_access *access = &objects->accesses.sorted[i];
		if (access->experiment != experiment) {
			address_space_free(space);
			experiment = access->experiment;
			space = address_space_read(objects->data, objects->resolver, experiment);
		}
		access->object = identify(objects, access, space);
	}
	address_space_free(space);
}

struct data_objects *data_objects_find(struct data *data, struct resolver *resolver)
{
	struct data_objects *objects = memory_new(1, sizeof *objects);
	objects->data = data;
	objects->resolver = resolver;
	/* Each class without a name gets the number that its enumerator has, so that a class can be returned as a number. */
	for (unsigned class = DATA_NO_ADDRESS; class <= DATA_COLLECTOR; class ++)
		number_of(objects, &(struct data_object){.class = (enum data_object_class) class, .member = NO_MEMBER});
	data_accesses_read(&objects->accesses, data);
	data_accesses_find_blocks(&objects->accesses, data);
	identify_all(objects);
	return objects;
}

void data_objects_free(struct data_objects *objects)
{
	if (!objects)
		return;
	data_accesses_free(&objects->accesses);
	id_table_free(&objects->numbers);
	free(objects->array);
	free(objects);
}

uint32_t data_objects_count(const struct data_objects *objects)
{
	return objects->count;
}

const struct data_object *data_objects_get(const struct data_objects *objects, uint32_t number)
{
	return &objects->array[number < objects->count ? number : (uint32_t)DATA_UNKNOWN];
}

uint32_t data_objects_at(
	const struct data_objects *objects, uint32_t experiment, uint64_t time, uint64_t counter, uint64_t address)
{
	const struct loaded_experiment *loaded = &objects->data->experiments[experiment];
	if (!address || !counter_has_addresses(loaded->file, counter))
		return DATA_NO_ADDRESS;
	const struct data_access *access = data_accesses_find(&objects->accesses, experiment, time, address);
	return access ? access->object : (uint32_t)DATA_UNKNOWN;
}
