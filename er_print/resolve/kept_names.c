/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks kept frames up, gathers new ones, and puts both together at the end. */
#include "kept_names.h"
#include "cache_folder.h"
#include "kept_names_file.h"
#include "search.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kept_names {
	int folder;
	char name[BUILD_ID_TEXT + 32];
	uint64_t key;
	struct kept_tables old;
	struct new_place { /* with functions and lines as the resolver numbers them */
		uint64_t offset;
		uint32_t first, count;
	} * places;
	struct frame *frames;
	struct kept_code *codes;
	uint32_t place_count, frame_count, code_count;
};

/* A build id is no proof: an experiment from elsewhere may hold a copy with another's id, whose names must not get into reports of
   the real program. So it is the very file, as it was then. Copies in archives are links to one file for all experiments of a
   program. */
static uint64_t hash_file(uint64_t hash, const struct elf_file *file)
{
	hash = hash_pair(hash, file ? hash_text(file->build_id) : 0);
	hash = hash_pair(hash, file ? file->size : 0);
	hash = hash_pair(hash, file ? file->device : 0);
	hash = hash_pair(hash, file ? file->inode : 0);
	return hash_pair(hash, file ? file->modified : 0);
}

/* Another er_print may find other names: ours is known by its build. 0: it is not. */
static uint64_t own_build(void)
{
	static uint64_t build;
	struct error error;
	struct elf_file *file = build ? 0 : elf_file_open("/proc/self/exe", &error);
	if (file)
		build = hash_text(*file->build_id ? file->build_id : file->checksum);
	elf_file_close(file);
	return build;
}

static bool is_large(const struct elf_file *file)
{
	return file && file->size >= KEPT_NAMES_LEAST;
}

struct kept_names *kept_names_open(const struct code_object *object)
{
	const struct elf_file *file = object->file ? object->file : object->debug;
	if (!file || !*file->build_id || (!is_large(object->file) && !is_large(object->debug)) || !own_build())
		return 0;
	int folder = cache_folder_open("names");
	if (folder < 0)
		return 0;
	struct kept_names *kept = memory_new(1, sizeof *kept);
	kept->folder = folder;
	kept->key = hash_file(hash_file(own_build(), object->file), object->debug);
	snprintf(kept->name, sizeof kept->name, "%s.%016llx", file->build_id, (unsigned long long)kept->key);
	if (kept_tables_read(&kept->old, folder, kept->name, kept->key))
		cache_folder_used(folder, kept->name);
	return kept;
}

static uint32_t make_function(
	const struct kept_names *kept, uint32_t object, struct functions *functions, uint32_t number)
{
	const struct kept_function *function = &kept->old.functions[number];
	const char *texts = kept->old.texts;
	const struct function_facts facts = {.object = object,
		.name = texts + function->mangled,
		.long_name = texts + function->long_name,
		.short_name = function->written ? texts + function->short_name : 0,
		.demangled_short = texts + function->short_name,
		.start = function->start,
		.size = function->size,
		.file = strings_number(&functions->paths, texts + function->file),
		.first_line = function->first_line};
	bool physical = function->start || function->size;
	return physical ? functions_physical(functions, &facts) : functions_inlined(functions, &facts);
}

unsigned kept_names_frames(const struct kept_names *kept, uint32_t object, struct functions *functions, uint64_t offset,
	struct frame frames[FRAMES_MAX])
{
	const struct kept_tables *old = kept ? &kept->old : 0;
	uint32_t p = old ? FIRST_WHERE(i, old->place_count, old->places[i].offset >= offset) : 0;
	if (!old || p == old->place_count || old->places[p].offset != offset || old->places[p].count > FRAMES_MAX)
		return 0;
	const struct kept_place *place = &old->places[p];
	/* Functions and lines are met in the order in which code_object_frames() meets them: from the outside inwards. */
	for (uint32_t i = place->count; i-- > 0;) {
		const struct kept_frame *frame = &old->frames[place->first + i];
		uint32_t function = make_function(kept, object, functions, frame->function);
		uint32_t file = strings_number(&functions->paths, old->texts + frame->file);
		frames[i] = (struct frame){.function = function,
			.line = functions_line(functions, function, file, frame->line),
			.inlined = frame->inlined != 0};
	}
	return place->count;
}

void kept_names_add(struct kept_names *kept, uint64_t offset, const struct frame *frames, unsigned count)
{
	if (!kept)
		return;
	kept->places = memory_room(kept->places, kept->place_count, sizeof *kept->places);
	kept->places[kept->place_count++] = (struct new_place){offset, kept->frame_count, count};
	for (unsigned i = 0; i < count; i++) {
		kept->frames = memory_room(kept->frames, kept->frame_count, sizeof *kept->frames);
		kept->frames[kept->frame_count++] = frames[i];
	}
}

bool kept_names_code(const struct kept_names *kept, uint64_t offset, uint64_t *start, uint64_t *end)
{
	const struct kept_tables *old = kept ? &kept->old : 0;
	uint32_t c = old ? FIRST_WHERE(i, old->code_count, old->codes[i].high > offset) : 0;
	if (!old || c == old->code_count || old->codes[c].low > offset)
		return false;
	*start = old->codes[c].start;
	*end = old->codes[c].end;
	return true;
}

void kept_names_add_code(struct kept_names *kept, const struct symbols *symbols, uint64_t offset)
{
	const struct interval_map *owner = &symbols->owner;
	uint32_t piece = kept ? interval_map_piece(owner, offset) : NO_INTERVAL;
	if (piece == NO_INTERVAL || owner->value[piece] == NO_INTERVAL)
		return;
	const struct symbol *symbol = &symbols->array[owner->value[piece]];
	kept->codes = memory_room(kept->codes, kept->code_count, sizeof *kept->codes);
	/* The last piece is a gap, so this one has an end. */
	kept->codes[kept->code_count++] =
		(struct kept_code){owner->start[piece], owner->start[piece + 1], symbol->start, symbol->end};
}

/* The old tables and what is new, as tables that are written. */
struct merging {
	const struct kept_names *kept;
	const struct functions *functions;
	struct kept_tables made;
	struct strings texts; /* numbered as met; their places in the file are: */
	uint32_t *text_at;
	size_t text_room;
	uint32_t *function_of; /* by the resolver's number; NO_ID: not met yet */
};

static uint32_t put_text(struct merging *merging, const char *text)
{
	struct kept_tables *made = &merging->made;
	uint32_t known = merging->texts.count, number = strings_number(&merging->texts, text);
	if (number < known)
		return merging->text_at[number];
	size_t size = strlen(text) + 1;
	merging->text_at = memory_room(merging->text_at, number, sizeof *merging->text_at);
	merging->text_at[number] = made->text_size;
	for (; made->text_size + size > merging->text_room; merging->text_room = 2 * merging->text_room + 4096)
		made->texts = memory_resize(made->texts, 2 * merging->text_room + 4096, 1);
	memcpy(made->texts + made->text_size, text, size);
	made->text_size += (uint32_t)size;
	return merging->text_at[number];
}

static uint32_t add_function(struct merging *merging, const struct kept_function *function)
{
	struct kept_tables *made = &merging->made;
	made->functions = memory_room(made->functions, made->function_count, sizeof *made->functions);
	made->functions[made->function_count] = *function;
	return made->function_count++;
}

static uint32_t put_function(struct merging *merging, uint32_t number)
{
	const struct function *function = merging->functions->array[number];
	if (merging->function_of[number] != NO_ID)
		return merging->function_of[number];
	return merging->function_of[number] = add_function(
		       merging, &(struct kept_function){.start = function->start,
					.size = function->size,
					.mangled = put_text(merging, function->mangled),
					.long_name = put_text(merging, function->long_name),
					.short_name = put_text(merging, function->short_name),
					.file = put_text(merging, merging->functions->paths.text[function->file]),
					.first_line = function->first_line,
					.written = function->written});
}

static void add_frame(struct merging *merging, const struct kept_frame *frame)
{
	struct kept_tables *made = &merging->made;
	made->frames = memory_room(made->frames, made->frame_count, sizeof *made->frames);
	made->frames[made->frame_count++] = *frame;
}

static void add_place(struct merging *merging, uint64_t offset, uint32_t count)
{
	struct kept_tables *made = &merging->made;
	made->places = memory_room(made->places, made->place_count, sizeof *made->places);
	made->places[made->place_count++] = (struct kept_place){offset, made->frame_count - count, count};
}

/* The functions of the old tables have numbers of their own: texts and functions are copied as they are met again by number. */
static void put_old_place(struct merging *merging, const struct kept_place *place, uint32_t *function_of)
{
	const struct kept_tables *old = &merging->kept->old;
	for (uint32_t i = 0; i < place->count; i++) {
		struct kept_frame frame = old->frames[place->first + i];
		uint32_t *number = &function_of[frame.function];
		if (*number == NO_ID) {
			struct kept_function function = old->functions[frame.function];
			function.mangled = put_text(merging, old->texts + function.mangled);
			function.long_name = put_text(merging, old->texts + function.long_name);
			function.short_name = put_text(merging, old->texts + function.short_name);
			function.file = put_text(merging, old->texts + function.file);
			*number = add_function(merging, &function);
		}
		frame.function = *number;
		frame.file = put_text(merging, old->texts + frame.file);
		add_frame(merging, &frame);
	}
	add_place(merging, place->offset, place->count);
}

static void put_new_place(struct merging *merging, const struct new_place *place)
{
	const struct functions *functions = merging->functions;
	const struct frame *outermost = &merging->kept->frames[place->first + place->count - 1];
	const struct function *holder = functions->array[outermost->function];
	/* Code of no function is told from a function that exists only inlined by nothing that is kept. */
	if (!holder->start && !holder->size)
		return;
	for (uint32_t i = 0; i < place->count; i++) {
		const struct frame *frame = &merging->kept->frames[place->first + i];
		const struct source_line *line = &functions->lines[frame->line];
		add_frame(merging, &(struct kept_frame){.function = put_function(merging, frame->function),
					   .file = put_text(merging, functions->paths.text[line->file]),
					   .line = line->line,
					   .inlined = frame->inlined});
	}
	add_place(merging, place->offset, place->count);
}

static int by_offset(const void *a, const void *b)
{
	const struct new_place *x = a, *y = b;
	return COMPARE(x->offset, y->offset);
}

static void merge_places(struct merging *merging)
{
	const struct kept_names *kept = merging->kept;
	const struct kept_tables *old = &kept->old;
	uint32_t *function_of = memory_new(old->function_count, sizeof *function_of), o = 0;
	memset(function_of, 0xff, old->function_count * sizeof *function_of);
	for (uint32_t n = 0; n < kept->place_count || o < old->place_count;) {
		const struct new_place *place = n < kept->place_count ? &kept->places[n] : 0;
		if (o < old->place_count && (!place || old->places[o].offset <= place->offset)) {
			n += place && place->offset == old->places[o].offset;
			put_old_place(merging, &old->places[o++], function_of);
		} else {
			if (!n || place[-1].offset != place->offset)
				put_new_place(merging, place);
			n++;
		}
	}
	free(function_of);
}

static int by_low(const void *a, const void *b)
{
	const struct kept_code *x = a, *y = b;
	return COMPARE(x->low, y->low);
}

static void merge_codes(struct merging *merging)
{
	const struct kept_names *kept = merging->kept;
	struct kept_tables *made = &merging->made;
	uint32_t count = kept->old.code_count + kept->code_count;
	made->codes = memory_new(count, sizeof *made->codes);
	if (kept->old.code_count)
		memcpy(made->codes, kept->old.codes, kept->old.code_count * sizeof *made->codes);
	if (kept->code_count)
		memcpy(made->codes + kept->old.code_count, kept->codes, kept->code_count * sizeof *made->codes);
	if (count)
		qsort(made->codes, count, sizeof *made->codes, by_low);
	for (uint32_t i = 0; i < count; i++)
		if (!made->code_count || made->codes[made->code_count - 1].high <= made->codes[i].low)
			made->codes[made->code_count++] = made->codes[i];
}

/* A name that is missing because a file is must not stay away when that is there. */
static bool is_complete(const struct code_object *object)
{
	GElf_Shdr header;
	const struct elf_file *source = object->debug ? object->debug : object->file;
	bool alternate = source && elf_file_section(source, ".gnu_debugaltlink", &header);
	return object->opened && !object->remark[0] && (!alternate || (object->dwarf && dwarf_getalt(object->dwarf)));
}

static void save(const struct kept_names *kept, const struct functions *functions)
{
	struct merging merging = {.kept = kept, .functions = functions};
	merging.function_of = memory_new(functions->count, sizeof *merging.function_of);
	memset(merging.function_of, 0xff, functions->count * sizeof *merging.function_of);
	put_text(&merging, "");
	if (kept->place_count)
		qsort(kept->places, kept->place_count, sizeof *kept->places, by_offset);
	merge_places(&merging);
	merge_codes(&merging);
	kept_tables_write(&merging.made, kept->folder, kept->name, kept->key);
	kept_tables_free(&merging.made);
	strings_free(&merging.texts);
	free(merging.text_at);
	free(merging.function_of);
}

void kept_names_close(
	struct kept_names *kept, const struct code_object *object, const struct functions *functions, uint64_t limit)
{
	if (!kept)
		return;
	if (limit && (kept->place_count || kept->code_count) && is_complete(object)) {
		save(kept, functions);
		cache_folder_trim(kept->folder, limit);
	}
	close(kept->folder);
	kept_tables_free(&kept->old);
	free(kept->places);
	free(kept->frames);
	free(kept->codes);
	free(kept);
}
