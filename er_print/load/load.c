/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens experiments, their descendants, and groups of them. */
#include "ahead.h"
#include "data_tables.h"
#include "progress.h"
#include "storage.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char group_line[] = "#analyzer experiment group";

uint32_t data_add_experiment(struct data *data, struct experiment *file, uint32_t founder)
{
	struct data_tables *tables = data_tables(data);
	uint32_t index = data->experiment_count;
	progress_show(file->path, 0, 0);
	data->experiments = memory_room(data->experiments, index, sizeof *data->experiments);
	tables->maps = memory_room(tables->maps, index, sizeof *tables->maps);
	tables->maps[index] = (struct perf_map){0};
	tables->kernels = memory_room(tables->kernels, index, sizeof *tables->kernels);
	tables->kernels[index] = (struct perf_map){0};
	tables->announced = memory_room(tables->announced, index, sizeof *tables->announced);
	tables->announced[index] = (struct announced_code){0};
	struct loaded_experiment *added = &data->experiments[index];
	*added = (struct loaded_experiment){
		.file = file, .number = index + 1, .founder = founder == NO_ID ? index : founder};
	data->experiment_count++;
	io_files_read(&added->io_files, file, &tables->strings);
	perf_map_read(&tables->maps[index], file, PERF_MAP_FILE);
	if (added->founder == index)
		perf_map_read(&tables->kernels[index], file, KERNEL_MAP_FILE);
	announced_code_read(&tables->announced[index], file);
	data_map_stacks(data, index);
	data->experiments[index].collector_stack = data_stack(data, &(struct stack){0, ROOT_COLLECTOR, STACK_ROOT, 0});
	data->experiments[index].start_stack = data_stack(data, &(struct stack){0, ROOT_PROCESS_START, STACK_ROOT, 0});
	for (unsigned i = 0; i < file->overflow_counter_count; i++)
		if (file->overflow_counters[i].unrelated)
			data->experiments[index].unrelated_stack =
				data_stack(data, &(struct stack){0, ROOT_UNRELATED, STACK_ROOT, 0});
	return index;
}

static bool has_real_path(const void *context, uint32_t experiment, const void *key)
{
	return !strcmp(((const struct data *)context)->experiments[experiment].real_path, key);
}

void data_set_real_path(struct data *data, uint32_t experiment, char *real_path)
{
	data->experiments[experiment].real_path = real_path;
	if (real_path)
		id_table_add(&data_tables(data)->real_paths, hash_text(real_path), experiment);
}

static bool is_loaded(const struct data *data, const char *real_path)
{
	return id_table_find(&data_tables(data)->real_paths, hash_text(real_path), has_real_path, data, real_path) !=
	       NO_ID;
}

bool data_is_loaded(const struct data *data, const char *path)
{
	char *real = realpath(path, 0);
	bool found = real && is_loaded(data, real);
	free(real);
	return found;
}

/* Real paths; 0: not known. */
static bool is_inside(const char *path, const char *directory)
{
	size_t length = directory ? strlen(directory) : 0;
	return path && directory && !strncmp(path, directory, length) && path[length] == '/';
}

bool data_has_descendant_of(const struct data *data, const char *path)
{
	char *real = realpath(path, 0);
	bool found = false;
	for (uint32_t e = 0; !found && e < data->experiment_count; e++)
		found = data->experiments[e].founder == e && is_inside(data->experiments[e].real_path, real);
	free(real);
	return found;
}

static bool is_wanted(const struct data *data, const char *name, const struct experiment *file)
{
	char lineage[256];
	size_t length = strlen(name);
	if (length > 3 && !strcmp(name + length - 3, ".er"))
		length -= 3;
	snprintf(
		lineage, sizeof lineage, "%.*s", length < sizeof lineage ? (int)length : (int)sizeof lineage - 1, name);
	return !data->wants_descendant || data->wants_descendant(data->descendant_context, lineage, file);
}

/* A descendant that is loaded by its own name. */
static bool is_descendant(const struct experiment *file)
{
	for (size_t i = 0; i < file->event_count; i++) {
		const char *lineage = log_event_attribute(&file->events[i], "lineage");
		if (!strcmp(file->events[i].kind, "run") && lineage)
			return *lineage != 0;
	}
	return false;
}

static char *inside(const char *directory, const char *name)
{
	char *path;
	return directory && asprintf(&path, "%s/%s", directory, name) >= 0 ? path : 0;
}

/* The descendants of a founder that are opened, in their order. */
struct descendants {
	const struct loaded_experiment *founder;
	char **names;
	size_t count;
};

/* A room of ahead.h. */
struct opened {
	struct experiment *file; /* 0: it could not be opened */
	struct error error;
};

static void open_descendant(void *context, unsigned worker, size_t item, void *room)
{
	const struct descendants *descendants = context;
	struct opened *opened = room;
	char *path = inside(descendants->founder->file->path, descendants->names[item]);
	(void)worker;
	opened->error.text[0] = 0;
	opened->file = path ? experiment_open_descendant(path, descendants->founder->file, &opened->error) : 0;
	free(path);
}

static void close_opened(void *room)
{
	struct opened *opened = room;
	if (opened->file)
		experiment_close(opened->file);
}

/* Leaves out those that are loaded by themselves. */
static void choose_descendants(struct descendants *descendants, const struct data *data)
{
	size_t kept = 0;
	for (size_t i = 0; i < descendants->count; i++) {
		char *real = inside(descendants->founder->real_path, descendants->names[i]);
		if (real && is_loaded(data, real))
			free(descendants->names[i]);
		else
			descendants->names[kept++] = descendants->names[i];
		free(real);
	}
	descendants->count = kept;
}

/* Takes over what is wanted. */
static void take_opened(struct data *data, uint32_t founder, const char *name, struct opened *opened)
{
	if (!opened->file || !is_wanted(data, name, opened->file)) {
		data->experiments[founder].partial = true;
		close_opened(opened);
	} else {
		uint32_t added = data_add_experiment(data, opened->file, founder);
		data_set_real_path(data, added, inside(data->experiments[founder].real_path, name));
	}
	opened->file = 0;
}

/* *error: of the last that could not be opened. */
static void add_descendants(struct data *data, uint32_t founder, struct error *error)
{
	const struct loaded_experiment own = data->experiments[founder];
	struct descendants descendants = {.founder = &own};
	descendants.names = experiment_descendants(own.file->path, &descendants.count);
	size_t there = descendants.count;
	choose_descendants(&descendants, data);
	data->experiments[founder].partial = is_descendant(own.file) || descendants.count < there;
	struct ahead *ahead = ahead_begin(&(struct ahead_work){
		descendants.count, sizeof(struct opened), open_descendant, close_opened, &descendants});
	for (size_t i = 0; i < descendants.count; i++) {
		struct opened *opened = ahead_take(ahead);
		if (*opened->error.text)
			*error = opened->error;
		take_opened(data, founder, descendants.names[i], opened);
		ahead_give_back(ahead, opened);
	}
	ahead_end(ahead);
	for (size_t i = 0; i < descendants.count; i++)
		free(descendants.names[i]);
	free(descendants.names);
}

/* A member's path in a group file: relative to the group's folder. The caller frees it. */
static char *member_path(const char *group, const char *member)
{
	const char *slash = strrchr(group, '/');
	char *path = 0;
	if (*member == '/' || !slash)
		path = strdup(member);
	else if (asprintf(&path, "%.*s/%s", (int)(slash - group), group, member) < 0)
		path = 0;
	return path;
}

static bool load_directory(struct data *data, const char *path, struct error *error)
{
	if (data_is_loaded(data, path))
		return true;
	struct experiment *file = experiment_open(path, error);
	if (!file)
		return false;
	uint32_t founder = data_add_experiment(data, file, NO_ID);
	data_set_real_path(data, founder, realpath(path, 0));
	add_descendants(data, founder, error);
	data_align_clocks(data, founder);
	for (uint32_t e = founder; e < data->experiment_count; e++) {
		struct loaded_experiment *loaded = &data->experiments[e];
		process_samples_read(&loaded->samples, loaded->file, loaded->start_offset);
	}
	return true;
}

struct members {
	struct member {
		char *path, *real; /* real: 0 if there is none */
	} * all;
	size_t count;
};

/* Each line after the first names an experiment. */
static struct members read_members(const char *path, FILE *group)
{
	struct members members = {0, 0};
	char *line = 0;
	size_t size = 0;
	ssize_t length;
	while ((length = getline(&line, &size, group)) >= 0) {
		while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			line[--length] = 0;
		char *member = *line && *line != '#' ? member_path(path, line) : 0;
		if (!member)
			continue;
		members.all = memory_room(members.all, members.count, sizeof *members.all);
		members.all[members.count++] = (struct member){member, realpath(member, 0)};
	}
	free(line);
	return members;
}

static bool is_inside_another(const struct members *members, size_t m)
{
	for (size_t i = 0; i < members->count; i++)
		if (is_inside(members->all[m].real, members->all[i].real))
			return true;
	return false;
}

/* Groups in groups are not followed. *error: of the last member that could not be loaded. */
static bool load_members(struct data *data, const struct members *members, struct error *error)
{
	bool loaded = false;
	for (unsigned inner = 0; inner < 2; inner++)
		for (size_t m = 0; m < members->count; m++) {
			struct error own = {""};
			if (is_inside_another(members, m) == inner)
				loaded |= load_directory(data, members->all[m].path, &own);
			if (*own.text)
				*error = own;
		}
	return loaded;
}

static bool load_group(struct data *data, const char *path, FILE *group, struct error *error)
{
	char *line = 0;
	size_t size = 0;
	ssize_t length = getline(&line, &size, group);
	bool is_group = length >= 0 && !strncmp(line, group_line, sizeof group_line - 1);
	free(line);
	if (!is_group)
		return error_set(error,
			"%s: neither an experiment nor an experiment group (its first line is not \"%s\")", path,
			group_line);
	struct members members = read_members(path, group);
	bool loaded = load_members(data, &members, error);
	if (!loaded && !*error->text)
		error_set(error, "%s: names no experiment", path);
	for (size_t m = 0; m < members.count; m++) {
		free(members.all[m].path);
		free(members.all[m].real);
	}
	free(members.all);
	return loaded;
}

bool data_load(struct data *data, const char *path, struct error *error)
{
	struct stat status;
	error->text[0] = 0;
	if (stat(path, &status))
		return error_set(error, "%s: %s", path, errno == ENOENT ? "experiment not found" : strerror(errno));
	if (S_ISDIR(status.st_mode))
		return load_directory(data, path, error);
	if (!S_ISREG(status.st_mode))
		return error_set(error, "%s: neither an experiment nor an experiment group", path);
	FILE *group = fopen(path, "re");
	if (!group)
		return error_set(error, "%s: %s", path, strerror(errno));
	bool loaded = load_group(data, path, group, error);
	fclose(group);
	return loaded;
}
