/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of the parts of a structure: structures within structures, arrays as one element. */
#include "member_layout.h"
#include "debug_types.h"
#include "search.h"
#include "structure_parts.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Structures within structures multiply: what is beyond this many entries is a part of its own. */
enum { ENTRIES_MAX = 65536, DEPTH_MAX = 32, PATH_MAX_LENGTH = 512 };

struct node {
	uint64_t offset;       /* in the structure that it is part of */
	uint64_t stride;       /* of the array that it is the element of; 0: of none */
	uint32_t first, count; /* its parts among the nodes */
	uint32_t member;       /* where it has none */
};
struct member_layout {
	struct node *nodes;
	uint32_t node_count;
	struct data_member *members;
	uint32_t member_count, budget;
	uint64_t element;
	struct arena *texts;
};
/* A node that is being made. */
struct making {
	uint32_t node;
	const Dwarf_Die *type; /* 0: none */
	uint64_t start, size;  /* from the variable's start to its first one; of all elements of an array */
	unsigned depth;
	char path[PATH_MAX_LENGTH];
};

static void make_member(struct member_layout *layout, const struct making *making)
{
	char text[TYPE_TEXT_MAX] = "";
	if (making->type)
		debug_type_text(making->type, text);
	layout->nodes[making->node].member = layout->member_count;
	layout->members = memory_room(layout->members, layout->member_count, sizeof *layout->members);
	layout->members[layout->member_count++] = (struct data_member){
		.path = arena_string(layout->texts, making->path, strlen(making->path)),
		.type = arena_string(layout->texts, text, strlen(text)),
		.offset = making->start,
		.size = making->size,
	};
}

/* The structure that a type is or is an array of, with "[]" added to the path for each dimension. */
static bool element_structure(const Dwarf_Die *type, Dwarf_Die *structure, char path[PATH_MAX_LENGTH])
{
	if (!type || !debug_type_peel(type, structure))
		return false;
	for (unsigned i = 0; i < DEPTH_MAX && dwarf_tag(structure) == DW_TAG_array_type; i++) {
		Dwarf_Die child = {0}, inner;
		while (debug_next_child(structure, &child)) {
			size_t length = strlen(path);
			if (dwarf_tag(&child) == DW_TAG_subrange_type && length + 3 < PATH_MAX_LENGTH)
				memcpy(path + length, "[]", 3);
		}
		if (!debug_type_of(structure, &inner) || !debug_type_peel(&inner, structure))
			return false;
	}
	return debug_type_is_structure(structure);
}

static void make(struct member_layout *layout, struct making *making);

static void make_part(struct member_layout *layout, const struct making *whole, const char *path, uint32_t node,
	const struct structure_part *part)
{
	struct making making = {.node = node,
		.type = part->has_type ? &part->type : 0,
		.start = whole->start + part->offset,
		.size = part->size,
		.depth = whole->depth + 1};
	Dwarf_Die peeled;
	char names[PART_NAME_MAX];
	const char *name = part->name;
	if (!*name && part->has_type && debug_type_peel(&part->type, &peeled) &&
		dwarf_tag(&peeled) == DW_TAG_union_type) {
		union_names(&peeled, names);
		name = names;
	}
	snprintf(making.path, sizeof making.path, "%.*s%s%s", PATH_MAX_LENGTH - PART_NAME_MAX - 2, path,
		*name ? "." : "", name);
	layout->nodes[node] = (struct node){.offset = part->offset};
	make(layout, &making);
}

/* The parts of a structure, or one of it all. */
static void make(struct member_layout *layout, struct making *making)
{
	char path[PATH_MAX_LENGTH];
	Dwarf_Die structure;
	strcpy(path, making->path);
	uint64_t size = 0;
	if (making->depth < DEPTH_MAX && element_structure(making->type, &structure, path))
		size = debug_type_size(&structure);
	bool array = strlen(path) > strlen(making->path);
	/* A member that is cut short has a base class's padding in it. */
	uint64_t extent = array || size < making->size ? size : making->size;
	uint32_t count = 0;
	struct structure_part *parts =
		extent && extent <= making->size ? structure_parts(&structure, extent, &layout->budget, &count) : 0;
	if (!parts) {
		make_member(layout, making);
		return;
	}
	uint32_t first = layout->node_count;
	for (uint32_t i = 0; i < count; i++) {
		layout->nodes = memory_room(layout->nodes, layout->node_count, sizeof *layout->nodes);
		layout->node_count++;
	}
	struct node *node = &layout->nodes[making->node];
	*node = (struct node){.offset = node->offset, .stride = array ? size : 0, .first = first, .count = count};
	for (uint32_t i = 0; i < count; i++)
		make_part(layout, making, path, first + i, &parts[i]);
	free(parts);
	if (!making->depth)
		layout->element = extent;
}

struct member_layout *member_layout_read(const Dwarf_Die *type, struct arena *texts)
{
	Dwarf_Die structure;
	char path[PATH_MAX_LENGTH] = "";
	uint64_t size = debug_type_size(type);
	if (!size || !element_structure(type, &structure, path))
		return 0;
	struct member_layout *layout = memory_new(1, sizeof *layout);
	*layout = (struct member_layout){.budget = ENTRIES_MAX, .texts = texts};
	layout->nodes = memory_room(layout->nodes, 0, sizeof *layout->nodes);
	layout->nodes[layout->node_count++] = (struct node){0};
	struct making making = {.type = type, .size = size};
	make(layout, &making);
	if (layout->element)
		return layout;
	member_layout_free(layout);
	return 0;
}

void member_layout_free(struct member_layout *layout)
{
	if (!layout)
		return;
	free(layout->nodes);
	free(layout->members);
	free(layout);
}

const struct data_member *member_layout_members(const struct member_layout *layout, uint32_t *count)
{
	*count = layout->member_count;
	return layout->members;
}

uint64_t member_layout_element(const struct member_layout *layout)
{
	return layout->element;
}

uint32_t member_layout_find(const struct member_layout *layout, uint64_t offset)
{
	const struct node *node = layout->nodes;
	while (node->count) {
		offset -= node->offset;
		offset = node->stride ? offset % node->stride : offset;
		const struct node *parts = &layout->nodes[node->first];
		uint64_t after = FIRST_WHERE(i, node->count, parts[i].offset > offset);
		node = &parts[after ? after - 1 : 0];
	}
	return node->member;
}

uint32_t data_variable_member(const struct data_variable *variable, uint64_t address)
{
	return variable->layout ? member_layout_find(variable->layout, address - variable->start) : NO_MEMBER;
}
