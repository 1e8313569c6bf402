/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes files of kept names. Whatever a file holds, what was read is in bounds. */
#include "kept_names_file.h"
#include "layout.h"
#include "storage.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "ernames1";
#define SIZE_MAX_KEPT (1u << 30)

struct header {
	char magic[8];
	uint64_t checksum; /* of all behind the header */
	uint64_t key;
	uint32_t place_count, frame_count, function_count, code_count, text_size, zero;
};

/* The parts behind the header, in their order. */
enum { PARTS = 5 };
static void parts_of(const struct kept_tables *tables, void *part[PARTS], size_t size[PARTS])
{
	void *const parts[PARTS] = {tables->places, tables->functions, tables->codes, tables->frames, tables->texts};
	const size_t sizes[PARTS] = {tables->place_count * sizeof *tables->places,
		tables->function_count * sizeof *tables->functions, tables->code_count * sizeof *tables->codes,
		tables->frame_count * sizeof *tables->frames, tables->text_size};
	memcpy(part, parts, sizeof parts);
	memcpy(size, sizes, sizeof sizes);
}

/* Every number in the tables leads into them. */
static bool is_sound(const struct kept_tables *tables)
{
	bool sound = tables->text_size && !tables->texts[0] && !tables->texts[tables->text_size - 1];
	for (uint32_t i = 0; sound && i < tables->place_count; i++) {
		const struct kept_place *place = &tables->places[i];
		sound = place->count && place->first <= tables->frame_count &&
			place->count <= tables->frame_count - place->first && (!i || place[-1].offset < place->offset);
	}
	for (uint32_t i = 0; sound && i < tables->frame_count; i++)
		sound = tables->frames[i].function < tables->function_count &&
			tables->frames[i].file < tables->text_size;
	for (uint32_t i = 0; sound && i < tables->function_count; i++) {
		const struct kept_function *function = &tables->functions[i];
		sound = function->mangled < tables->text_size && function->long_name < tables->text_size &&
			function->short_name < tables->text_size && function->file < tables->text_size;
	}
	for (uint32_t i = 0; sound && i < tables->code_count; i++) {
		const struct kept_code *code = &tables->codes[i];
		sound = code->low < code->high && (!i || code[-1].high <= code->low);
	}
	return sound;
}

static bool take(struct kept_tables *tables, char *bytes, size_t size, uint64_t key)
{
	struct header header;
	void *part[PARTS];
	size_t part_size[PARTS], expected = 0;
	memcpy(&header, bytes, sizeof header);
	*tables = (struct kept_tables){.place_count = header.place_count,
		.frame_count = header.frame_count,
		.function_count = header.function_count,
		.code_count = header.code_count,
		.text_size = header.text_size};
	parts_of(tables, part, part_size);
	for (unsigned p = 0; p < PARTS; p++)
		expected += part_size[p];
	char *next = bytes + sizeof header;
	size -= sizeof header;
	if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key || header.zero || size != expected ||
		header.checksum != block_checksum((unsigned char *)next, (uint32_t)size))
		return false;
	tables->places = (void *)next;
	tables->functions = (void *)(next += part_size[0]);
	tables->codes = (void *)(next += part_size[1]);
	tables->frames = (void *)(next += part_size[2]);
	tables->texts = next + part_size[3];
	return is_sound(tables);
}

bool kept_tables_read(struct kept_tables *tables, int folder, const char *name, uint64_t key)
{
	struct stat status;
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool usable = file >= 0 && !fstat(file, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
		      status.st_size >= (off_t)sizeof(struct header) && status.st_size <= SIZE_MAX_KEPT;
	char *bytes = usable ? memory_new((size_t)status.st_size, 1) : 0;
	usable = usable && read(file, bytes, (size_t)status.st_size) == status.st_size &&
		 take(tables, bytes, (size_t)status.st_size, key);
	if (file >= 0)
		close(file);
	if (usable) {
		tables->bytes = bytes;
	} else {
		free(bytes);
		*tables = (struct kept_tables){0};
	}
	return usable;
}

static bool write_all(int file, const char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(file, bytes, size);
		if (written <= 0)
			return false;
		bytes += written;
		size -= (size_t)written;
	}
	return true;
}

void kept_tables_write(const struct kept_tables *tables, int folder, const char *name, uint64_t key)
{
	void *part[PARTS];
	size_t size[PARTS], whole = sizeof(struct header);
	char temporary[64];
	parts_of(tables, part, size);
	for (unsigned p = 0; p < PARTS; p++)
		whole += size[p];
	if (whole > SIZE_MAX_KEPT)
		return;
	char *bytes = memory_new(whole, 1), *next = bytes + sizeof(struct header);
	for (unsigned p = 0; p < PARTS; p++) {
		if (size[p])
			memcpy(next, part[p], size[p]);
		next += size[p];
	}
	struct header header = {.key = key,
		.checksum = block_checksum(
			(unsigned char *)bytes + sizeof header, (uint32_t)(whole - sizeof(struct header))),
		.place_count = tables->place_count,
		.frame_count = tables->frame_count,
		.function_count = tables->function_count,
		.code_count = tables->code_count,
		.text_size = tables->text_size};
	memcpy(header.magic, magic, sizeof magic);
	memcpy(bytes, &header, sizeof header);
	/* Readers see the old file or the new one. */
	snprintf(temporary, sizeof temporary, "new.%ld", (long)getpid());
	int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool written = file >= 0 && write_all(file, bytes, whole);
	if (file >= 0 && close(file))
		written = false;
	if (!written || renameat(folder, temporary, folder, name))
		unlinkat(folder, temporary, 0);
	free(bytes);
}

void kept_tables_free(struct kept_tables *tables)
{
	free(tables->bytes);
	if (!tables->bytes) {
		free(tables->places);
		free(tables->frames);
		free(tables->functions);
		free(tables->codes);
		free(tables->texts);
	}
	*tables = (struct kept_tables){0};
}
