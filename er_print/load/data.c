/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load objects, addresses and stacks, each kept once whatever process or experiment it comes from. */
#include "data.h"
#include "archive_name.h"
#include "data_tables.h"
#include "storage.h"
#include "timed_stacks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct data *data_create(void)
{
	struct data *data = memory_new(1, sizeof *data);
	data->private = memory_new(1, sizeof(struct data_tables));
	data_object(data, &(struct load_object){.type = OBJECT_TOTAL, .path = "<Total>"});
	data_object(data, &(struct load_object){.type = OBJECT_UNKNOWN, .path = "<Unknown>"});
	data->stacks = memory_room(data->stacks, 0, sizeof *data->stacks);
	data->stacks[data->stack_count++] = (struct stack){0};
	return data;
}

void data_destroy(struct data *data)
{
	if (!data)
		return;
	struct data_tables *tables = data_tables(data);
	for (uint32_t i = 0; i < data->experiment_count; i++) {
		perf_map_free(&tables->maps[i]);
		perf_map_free(&tables->kernels[i]);
		announced_code_free(&tables->announced[i]);
		free(data->experiments[i].stack_of);
		process_samples_free(&data->experiments[i].samples);
		io_files_free(&data->experiments[i].io_files);
		free(data->experiments[i].real_path);
		experiment_close(data->experiments[i].file);
	}
	for (uint32_t i = 0; i < data->object_count; i++) {
		free((char *)data->objects[i].archive);
		free(data->objects[i].runs);
	}
	free(tables->maps);
	free(tables->kernels);
	free(tables->announced);
	id_table_free(&tables->objects);
	id_table_free(&tables->real_paths);
	id_table_free(&tables->addresses);
	id_table_free(&tables->stacks);
	strings_free(&tables->strings);
	strings_free(&tables->imported_names);
	free(tables->imported_lines);
	free(tables->imported_line_bytes);
	free(tables);
	data_forget_placed_stacks(data);
	free(data->experiments);
	free(data->objects);
	free(data->addresses);
	free(data->stacks);
	free(data);
}

/* Strings are kept once, so their pointers tell them apart. */
static bool same_object(const void *context, uint32_t id, const void *key)
{
	const struct load_object *a = &((const struct data *)context)->objects[id], *b = key;
	return a->type == b->type && a->path == b->path && a->build_id == b->build_id && a->checksum == b->checksum &&
	       (a->type != OBJECT_DYNAMIC || (a->experiment == b->experiment && a->layer == b->layer));
}

uint32_t data_object(struct data *data, const struct load_object *described)
{
	struct data_tables *tables = data_tables(data);
	struct load_object object = *described;
	object.path = strings_keep(&tables->strings, described->path);
	object.build_id = strings_keep(&tables->strings, described->build_id ? described->build_id : "");
	/* A build id says it all; the same file may have been copied. */
	object.checksum =
		strings_keep(&tables->strings, *object.build_id || !described->checksum ? "" : described->checksum);
	const char *modified = described->checksum ? strchr(described->checksum, ':') : 0; /* "size:mtime" */
	object.modified = modified ? strtoll(modified + 1, 0, 10) : 0;
	object.archive = 0;
	uint64_t hash = hash_pair(hash_pair((uintptr_t)object.path, (uintptr_t)object.build_id),
		object.type == OBJECT_DYNAMIC ? hash_pair(object.experiment, object.layer)
					      : (uintptr_t)object.checksum);
	uint32_t id = id_table_find(&tables->objects, hash, same_object, data, &object);
	if (id == NO_ID) {
		id = data->object_count;
		data->objects = memory_room(data->objects, id, sizeof *data->objects);
		data->objects[data->object_count++] = object;
		id_table_add(&tables->objects, hash, id);
	}
	return id;
}

void data_object_in_run(struct data *data, uint32_t object, uint32_t experiment)
{
	struct load_object *met = &data->objects[object];
	uint32_t founder = data->experiments[experiment].founder;
	if (met->run_count && met->runs[met->run_count - 1] == founder)
		return;
	met->runs = memory_room(met->runs, met->run_count, sizeof *met->runs);
	met->runs[met->run_count++] = founder;
}

static bool same_address(const void *context, uint32_t id, const void *key)
{
	const struct code_address *a = &((const struct data *)context)->addresses[id], *b = key;
	return a->object == b->object && a->offset == b->offset;
}

uint32_t data_address(struct data *data, uint32_t object, uint64_t offset)
{
	struct id_table *table = &data_tables(data)->addresses;
	struct code_address address = {object, offset};
	uint64_t hash = hash_pair(object, offset);
	uint32_t id = id_table_find(table, hash, same_address, data, &address);
	if (id == NO_ID) {
		id = data->address_count;
		data->addresses = memory_room(data->addresses, id, sizeof *data->addresses);
		data->addresses[data->address_count++] = address;
		id_table_add(table, hash, id);
	}
	return id;
}

static bool same_stack(const void *context, uint32_t id, const void *key)
{
	const struct stack *a = &((const struct data *)context)->stacks[id], *b = key;
	return a->parent == b->parent && a->address == b->address && a->flags == b->flags && a->native == b->native;
}

uint32_t data_stack(struct data *data, const struct stack *stack)
{
	struct id_table *table = &data_tables(data)->stacks;
	uint64_t hash =
		hash_pair((uint64_t)stack->parent << 32 | stack->address, (uint64_t)stack->native << 32 | stack->flags);
	uint32_t id = id_table_find(table, hash, same_stack, data, stack);
	if (id == NO_ID) {
		id = data->stack_count;
		data->stacks = memory_room(data->stacks, id, sizeof *data->stacks);
		data->stacks[data->stack_count++] = *stack;
		id_table_add(table, hash, id);
	}
	return id;
}

uint32_t data_stack_at(struct data *data, uint32_t stack, uint32_t address)
{
	struct stack moved = data->stacks[stack];
	moved.address = address;
	moved.native = moved.native ? data_stack_at(data, moved.native, address) : 0;
	return data_stack(data, &moved);
}

uint32_t data_stack_on(struct data *data, uint32_t caller, uint32_t address, uint32_t flags)
{
	uint32_t native = data->stacks[caller].native;
	native = native ? data_stack_on(data, native, address, flags) : 0;
	return data_stack(data, &(struct stack){caller, address, flags, native});
}

uint32_t data_thread_root(struct data *data)
{
	return data_stack(data, &(struct stack){0, ROOT_START, STACK_ROOT, 0});
}

void data_forget_placed_stacks(struct data *data)
{
	timed_stacks_free(data->timed_stacks);
	data->timed_stacks = 0;
	free(data->tick_stacks.user);
	free(data->tick_stacks.kernel);
	data->tick_stacks = (struct tick_stacks){0};
}

const char *data_io_file(const struct data *data, uint32_t name)
{
	const struct strings *strings = &data_tables(data)->strings;
	return name && name <= strings->count ? strings->text[name - 1] : 0;
}

const struct dynamic_function *data_dynamic_function(const struct data *data, uint32_t object, uint64_t address)
{
	const struct load_object *dynamic = &data->objects[object];
	if (dynamic->type != OBJECT_DYNAMIC || dynamic->experiment >= data->experiment_count)
		return 0;
	const struct data_tables *tables = data_tables(data);
	if (dynamic->layer == LAYER_KERNEL)
		return perf_map_find(&tables->kernels[dynamic->experiment], address);
	return dynamic->layer ? announced_code_find(&tables->announced[dynamic->experiment], dynamic->layer, address)
			      : perf_map_find(&tables->maps[dynamic->experiment], address);
}

/* The copy in the founder's folder, if it can be read. A link would lead out of the experiment. */
static char *archived(const struct data *data, uint32_t experiment, const char *name)
{
	const struct experiment *founder = data->experiments[data->experiments[experiment].founder].file;
	struct stat folder, copy;
	char *path;
	if (asprintf(&path, "%s/%s/%s", founder->path, ARCHIVES_FOLDER, name) < 0)
		return 0;
	char *base = strrchr(path, '/');
	*base = 0;
	bool is_folder = !lstat(path, &folder) && S_ISDIR(folder.st_mode);
	*base = '/';
	if (is_folder && !lstat(path, &copy) && S_ISREG(copy.st_mode) && !access(path, R_OK))
		return path;
	free(path);
	return 0;
}

char *data_archived_object(const struct data *data, uint32_t experiment, const struct mapped_segment *segment)
{
	char name[ARCHIVE_NAME_MAX];
	archive_object_name(name, segment->path, segment->build_id, segment->checksum);
	return archived(data, experiment, name);
}

char *data_archived_source(const struct data *data, const char *path)
{
	char name[ARCHIVE_NAME_MAX];
	archive_source_name(name, path);
	char *found = 0;
	for (uint32_t i = 0; i < data->experiment_count && !found; i++)
		if (data->experiments[i].founder == i)
			found = archived(data, i, name);
	return found;
}

const char *data_command(const struct data *data, uint32_t founder)
{
	for (uint32_t i = founder; i < data->experiment_count; i++) {
		const char *command = data->experiments[i].file->process.command;
		if (data->experiments[i].founder == founder && command && *command)
			return command;
	}
	return "";
}
