/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and opens the files of a load object. What does not match what was recorded is said, not used. */
#include "code_object.h"
#include "base_name.h"
#include "debug_file.h"
#include "search_path.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void code_object_create(struct code_object *object, const struct data *data, uint32_t index)
{
	const struct load_object *described = &data->objects[index];
	*object = (struct code_object){.index = index};
	if (described->type == OBJECT_VDSO || load_object_is_of_file(described)) {
		snprintf(object->name, sizeof object->name, "<%.250s>", base_name(described->path));
	} else {
		snprintf(object->name, sizeof object->name, "%s", described->path);
	}
}

void code_object_close(struct code_object *object)
{
	units_free(&object->units);
	symbols_free(&object->symbols);
	variables_free(&object->variables);
	free(object->names);
	free(object->entry_functions);
	id_table_free(&object->by_entry);
	entry_parents_free(&object->parents);
	free(object->function_of);
	dwarf_end(object->dwarf);
	elf_file_close(object->debug);
	elf_file_close(object->file);
	*object = (struct code_object){0};
}

/* Why the file is not the one that was profiled, or 0. */
static const char *mismatch(const struct elf_file *file, const struct load_object *described, bool copy)
{
	if (*described->build_id)
		return strcmp(file->build_id, described->build_id) ? "build-id differs" : 0;
	if (!copy && *described->checksum && strcmp(file->checksum, described->checksum))
		return "file was changed since it was recorded";
	return 0;
}

static struct elf_file *open_candidate(
	struct code_object *object, const struct load_object *described, const char *path, bool copy)
{
	struct error error;
	struct elf_file *file = elf_file_open(path, &error);
	if (!file) {
		snprintf(object->remark, sizeof object->remark, "%s", error.text);
		object->state = access(path, F_OK) == 0 ? FILE_UNREADABLE : FILE_ABSENT;
		return 0;
	}
	const char *reason = mismatch(file, described, copy);
	if (!reason)
		return file;
	snprintf(object->remark, sizeof object->remark, "%.400s: %s: not used", path, reason);
	object->state = FILE_DIFFERS;
	elf_file_close(file);
	return 0;
}

struct candidate {
	struct code_object *object;
	const struct load_object *described;
};

/* A file elsewhere is a copy: its time says nothing, its build id all; without one it must be the recorded file. */
static bool try_candidate(void *context, const char *path)
{
	const struct candidate *candidate = context;
	bool copy = *candidate->described->build_id != 0;
	candidate->object->file = open_candidate(candidate->object, candidate->described, path, copy);
	return candidate->object->file != 0;
}

static void open_file(
	struct code_object *object, const struct load_object *described, const struct object_search *search)
{
	struct candidate candidate = {object, described};
	if (described->archive)
		object->file = open_candidate(object, described, described->archive, true);
	if (!object->file && described->path[0] == '/')
		search_path_find(search->path, search->data, described->path, true, try_candidate, &candidate);
	/* Nothing of that name is anywhere: the recorded one says why. */
	if (!object->file && described->path[0] == '/' && !object->remark[0])
		object->file = open_candidate(object, described, described->path, false);
	if (!object->file && search->debuginfod)
		object->file = debug_file_fetch_object(described->build_id);
	if (object->file)
		object->remark[0] = 0;
	else if (!object->remark[0])
		snprintf(object->remark, sizeof object->remark, "%.400s: not found", described->path);
}

static void open_dwarf(struct code_object *object, struct strings *paths)
{
	const struct elf_file *source = object->debug && elf_file_has_debug(object->debug) ? object->debug
					: object->file && elf_file_has_debug(object->file) ? object->file
											   : 0;
	if (!source)
		return;
	object->dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ, 0);
	if (object->dwarf)
		units_find(&object->units, object->dwarf, paths);
	else
		snprintf(object->remark, sizeof object->remark, "%.300s: debug information not read: %.100s",
			source->path, dwarf_errmsg(-1));
}

/* Whether a name leads into one of the experiments. */
static bool in_experiment(const struct data *data, const char *path)
{
	bool inside = false;
	char *file = realpath(path, 0);
	for (uint32_t e = 0; file && !inside && e < data->experiment_count; e++) {
		char *folder = data->experiments[e].founder == e ? realpath(data->experiments[e].file->path, 0) : 0;
		size_t length = folder ? strlen(folder) : 0;
		inside = folder && !strncmp(file, folder, length) && file[length] == '/';
		free(folder);
	}
	free(file);
	return inside;
}

static bool same_build(const char *path, const char *build_id)
{
	struct error error;
	struct elf_file *file = *build_id ? elf_file_open(path, &error) : 0;
	bool same = file && !strcmp(file->build_id, build_id);
	elf_file_close(file);
	return same;
}

bool code_object_is_of_machine(struct code_object *object, const struct data *data)
{
	if (object->of_machine == OF_MACHINE_NOT_ASKED) {
		const char *recorded = data->objects[object->index].path;
		bool is = object->file &&
			  (!in_experiment(data, object->file->path) ||
				  (same_build(recorded, object->file->build_id) && !in_experiment(data, recorded)));
		object->of_machine = is ? OF_MACHINE_YES : OF_MACHINE_NO;
	}
	return object->of_machine == OF_MACHINE_YES;
}

void code_object_find(
	struct code_object *object, const struct load_object *described, const struct object_search *search)
{
	if (object->state != FILE_NOT_SOUGHT)
		return;
	object->state = FILE_ABSENT;
	open_file(object, described, search);
	const char *build_id = object->file ? object->file->build_id : described->build_id;
	if (!object->file || !elf_file_has_debug(object->file))
		object->debug = debug_file_find(object->file, described->path, build_id, search->debuginfod);
	if (object->file || object->debug)
		object->state = FILE_FOUND;
}

void code_object_open(struct code_object *object, const struct load_object *described,
	const struct object_search *search, struct strings *paths)
{
	if (object->opened)
		return;
	object->opened = true;
	code_object_find(object, described, search);
	symbols_read(&object->symbols, object->file, object->debug);
	object->function_of = memory_new(object->symbols.count, sizeof *object->function_of);
	memset(object->function_of, 0xff, object->symbols.count * sizeof *object->function_of);
	open_dwarf(object, paths);
	if (object->file && !object->symbols.named && !object->remark[0])
		snprintf(object->remark, sizeof object->remark, "no symbols");
}
