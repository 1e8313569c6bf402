/* SPDX-License-Identifier: Apache-2.0 */
/* The executable segments that map.xml tells of, in memory. */
#include "segment_table.h"
#include "pages.h"
#include <string.h>

#define CHUNK_SIZE 65536u

static struct segment *table;
static size_t count, capacity;
static size_t expected; /* the loader lists its objects in the same order each time */
static char *strings;   /* free room in the current chunk of paths */
static size_t strings_left;

struct segment *segment_find(uint64_t address, uint64_t size)
{
	for (size_t tried = 0; tried < count; tried++) {
		size_t i = (expected + tried) % count;
		if (table[i].mapped && address < table[i].address + table[i].size &&
			table[i].address < address + size) {
			expected = (i + 1) % count;
			return &table[i];
		}
	}
	return 0;
}

static const char *keep(const char *path)
{
	size_t size = strlen(path) + 1;
	if (size > strings_left) {
		size_t chunk = size > CHUNK_SIZE ? size : CHUNK_SIZE;
		char *fresh = pages_map(chunk);
		if (!fresh)
			return 0;
		strings = fresh;
		strings_left = chunk;
	}
	char *kept = memcpy(strings, path, size);
	strings += size;
	strings_left -= size;
	return kept;
}

static bool grow(void)
{
	size_t larger = capacity ? 2 * capacity : 256;
	struct segment *fresh = pages_map(larger * sizeof *fresh);
	if (!fresh)
		return false;
	if (count)
		memcpy(fresh, table, count * sizeof *table);
	/* In this order, for a fork at any moment. */
	struct segment *old = table;
	size_t old_size = capacity * sizeof *table;
	table = fresh;
	capacity = larger;
	pages_unmap(old, old_size);
	return true;
}

/* A program that opens and closes the same plug-in for hours must not make the table grow. */
static struct segment *free_place(void)
{
	if (count == capacity)
		for (size_t i = 0; i < count; i++)
			if (!table[i].mapped)
				return &table[i];
	return count < capacity || grow() ? &table[count++] : 0;
}

static const char *known_path(const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].path && strcmp(table[i].path, path) == 0)
			return table[i].path;
	return 0;
}

struct segment *segment_add(const char *path)
{
	const char *kept = known_path(path);
	if (!kept)
		kept = keep(path);
	struct segment *segment = kept ? free_place() : 0;
	if (segment)
		*segment = (struct segment){.path = kept, .mapped = true, .seen = true};
	return segment;
}

void segments_visit(void (*f)(struct segment *segment))
{
	for (size_t i = 0; i < count; i++)
		if (table[i].mapped)
			f(&table[i]);
}
