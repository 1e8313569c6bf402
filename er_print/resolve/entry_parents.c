/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parents by one walk over a unit's entries. */
#include "entry_parents.h"
#include "debug_types.h"
#include "search.h"
#include "storage.h"
#include <dwarf.h>
#include <stdlib.h>

enum { DEPTH_MAX = 512 }; /* of nested entries; compilers stay below 100 */

static bool has_others_inside(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return true;
	default:
		return false;
	}
}

static void read_children(struct scope_entries *entries, Dwarf_Die *parent_die, uint32_t parent, unsigned depth)
{
	Dwarf_Die child = {0};
	while (depth < DEPTH_MAX && debug_next_child(parent_die, &child)) {
		if (!has_others_inside(dwarf_tag(&child)))
			continue;
		uint32_t index = entries->count++;
		entries->array = memory_room(entries->array, index, sizeof *entries->array);
		entries->array[index] = (struct scope_entry){child, parent};
		read_children(entries, &child, index, depth + 1);
	}
}

static bool same_unit(const void *context, uint32_t id, const void *key)
{
	return ((const struct entry_parents *)context)->units[id]->unit == key;
}

const struct scope_entries *entry_parents_of_unit(struct entry_parents *parents, const Dwarf_Die *die)
{
	uint64_t hash = hash_number((uintptr_t)die->cu);
	uint32_t id = id_table_find(&parents->by_unit, hash, same_unit, parents, die->cu);
	if (id != NO_ID)
		return parents->units[id];
	Dwarf_Die unit, entry = *die;
	struct scope_entries *entries = memory_new(1, sizeof *entries);
	entries->unit = die->cu;
	if (dwarf_diecu(&entry, &unit, 0, 0))
		read_children(entries, &unit, UINT32_MAX, 0);
	parents->units = memory_room(parents->units, parents->count, sizeof *parents->units);
	parents->units[parents->count] = entries;
	id_table_add(&parents->by_unit, hash, parents->count++);
	return entries;
}

uint32_t scope_entries_find(const struct scope_entries *entries, const Dwarf_Die *die)
{
	uint32_t low =
		FIRST_WHERE(i, entries->count, (const char *)entries->array[i].die.addr >= (const char *)die->addr);
	return low < entries->count && entries->array[low].die.addr == die->addr ? low : UINT32_MAX;
}

void entry_parents_free(struct entry_parents *parents)
{
	for (uint32_t i = 0; i < parents->count; i++) {
		free(parents->units[i]->array);
		free(parents->units[i]);
	}
	free(parents->units);
	id_table_free(&parents->by_unit);
	*parents = (struct entry_parents){0};
}
