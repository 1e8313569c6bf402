/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members and base classes of a structure, in the order of their offsets, with what lies between them. */
#include "structure_parts.h"
#include "debug_types.h"
#include "search.h"
#include "storage.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASES_MAX = 16 }; /* of empty classes within empty classes */

static bool number(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;
	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &word))
		return false;
	*value = word;
	return true;
}

/* Byte offset of a member; old compilers write it as an expression. False where it is known at run time only. */
static bool location(Dwarf_Die *member, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;
	*offset = 0;
	if (!dwarf_attr(member, DW_AT_data_member_location, &attribute) ||
		number(member, DW_AT_data_member_location, offset))
		return true;
	if (dwarf_getlocation(&attribute, &operations, &count) || count != 1 || operations->atom != DW_OP_plus_uconst)
		return false;
	*offset = operations->number;
	return true;
}

static bool flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool set = false;
	return dwarf_attr(die, name, &attribute) && !dwarf_formflag(&attribute, &set) && set;
}

static bool is_part(Dwarf_Die *child)
{
	int tag = dwarf_tag(child);
	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !flag(child, DW_AT_external) && !flag(child, DW_AT_declaration));
}

/* Whether a class has no data: as a base it takes no room, though its size is 1. */
static bool is_empty(Dwarf_Die *type, unsigned depth)
{
	Dwarf_Die child = {0}, base, peeled;
	while (debug_next_child(type, &child)) {
		if (!is_part(&child))
			continue;
		if (dwarf_tag(&child) != DW_TAG_inheritance || depth >= BASES_MAX || !debug_type_of(&child, &base) ||
			!debug_type_peel(&base, &peeled) || !is_empty(&peeled, depth + 1))
			return false;
	}
	return true;
}

static bool read_part(Dwarf_Die *child, struct structure_part *part)
{
	uint64_t bits, bit;
	Dwarf_Die peeled;
	*part = (struct structure_part){.has_type = true};
	if (!debug_type_of(child, &part->type) || !location(child, &part->offset))
		return false;
	part->size = debug_type_size(&part->type);
	if (dwarf_tag(child) == DW_TAG_inheritance && debug_type_peel(&part->type, &peeled) && is_empty(&peeled, 0))
		return false;
	if (number(child, DW_AT_bit_size, &bits) && number(child, DW_AT_data_bit_offset, &bit)) {
		part->offset = bit / 8;
		part->size = (bit % 8 + bits + 7) / 8;
	}
	const char *name = dwarf_tag(child) == DW_TAG_member ? dwarf_diename(child) : 0;
	snprintf(part->name, sizeof part->name, "%s", name ? name : "");
	return part->size != 0;
}

static int by_offset(const void *left, const void *right)
{
	const struct structure_part *a = left, *b = right;
	return COMPARE(a->offset, b->offset) ?: COMPARE(a->place, b->place);
}

static void join_name(char name[PART_NAME_MAX], const char *other)
{
	size_t length = strlen(name);
	if (length + strlen(other) + sizeof ",..." < PART_NAME_MAX)
		snprintf(name + length, PART_NAME_MAX - length, "%s%s", length ? "," : "", other);
	else if (length > 3 && strcmp(name + length - 3, "...") != 0)
		snprintf(name + length, PART_NAME_MAX - length, ",...");
}

/* A part that begins within the one before it: behind a base class it takes its padding; bit fields share bytes. */
static void add_overlapping(struct structure_part *before, const struct structure_part *part, uint32_t *count)
{
	Dwarf_Die peeled;
	uint64_t end = part->offset + part->size;
	if (part->offset > before->offset && before->has_type && debug_type_peel(&before->type, &peeled) &&
		debug_type_is_structure(&peeled)) {
		before->size = part->offset - before->offset;
		before[1] = *part;
		++*count;
		return;
	}
	join_name(before->name, part->name);
	before->has_type = false;
	before->size = end > before->offset + before->size ? end - before->offset : before->size;
}

static struct structure_part padding(uint64_t from, uint64_t to)
{
	return (struct structure_part){.offset = from, .size = to - from, .name = "<padding>"};
}

/* Each part at most once, and one for the gap before it. */
static struct structure_part *arrange(struct structure_part *read, uint32_t read_count, uint64_t size, uint32_t *count)
{
	struct structure_part *parts = memory_new(2ull * read_count + 1, sizeof *parts);
	uint64_t end = 0;
	*count = 0;
	for (uint32_t i = 0; i < read_count; i++) {
		if (read[i].offset >= size || read[i].size > size - read[i].offset)
			continue;
		if (read[i].offset > end)
			parts[(*count)++] = padding(end, read[i].offset);
		if (read[i].offset < end)
			add_overlapping(&parts[*count - 1], &read[i], count);
		else
			parts[(*count)++] = read[i];
		end = parts[*count - 1].offset + parts[*count - 1].size;
	}
	if (*count && end < size)
		parts[(*count)++] = padding(end, size);
	return parts;
}

struct structure_part *structure_parts(Dwarf_Die *structure, uint64_t size, uint32_t *budget, uint32_t *count)
{
	struct structure_part *read = 0, *parts = 0;
	Dwarf_Die child = {0};
	uint32_t read_count = 0;
	bool known = true;
	*count = 0;
	while (known && debug_next_child(structure, &child)) {
		/* Which of a variant's members are there is known at run time only. */
		known = *budget && dwarf_tag(&child) != DW_TAG_variant_part;
		*budget -= *budget != 0;
		if (!known || !is_part(&child))
			continue;
		read = memory_room(read, read_count, sizeof *read);
		if (!read_part(&child, &read[read_count]))
			continue;
		read[read_count].place = read_count;
		read_count++;
	}
	if (known && read_count) {
		qsort(read, read_count, sizeof *read, by_offset);
		parts = arrange(read, read_count, size, count);
	}
	free(read);
	if (*count)
		return parts;
	free(parts);
	return 0;
}

void union_names(Dwarf_Die *type, char name[PART_NAME_MAX])
{
	Dwarf_Die child = {0};
	*name = 0;
	while (debug_next_child(type, &child) && strlen(name) < PART_NAME_MAX / 2)
		if (dwarf_tag(&child) == DW_TAG_member)
			join_name(name, dwarf_diename(&child) ? dwarf_diename(&child) : "{...}");
}
