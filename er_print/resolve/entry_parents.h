/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which namespace, class or function is around an entry of debug information: DWARF's entries know only those inside them. */
#ifndef ENTRY_PARENTS_H
#define ENTRY_PARENTS_H

#include "id_table.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* An entry that others can be in: namespace, module, class, enumeration, function, block. */
struct scope_entry {
	Dwarf_Die die;
	uint32_t parent; /* index; UINT32_MAX: the unit */
};
struct scope_entries {
	Dwarf_CU *unit;
	struct scope_entry *array; /* in the order of the unit, which is that of die.addr */
	uint32_t count;
};

/* Zero-initialised has none; a unit is read when it is first asked for. */
struct entry_parents {
	struct scope_entries **units; /* the structures never move */
	uint32_t count;
	struct id_table by_unit;
};
void entry_parents_free(struct entry_parents *parents);

/* All of the entry's unit. */
const struct scope_entries *entry_parents_of_unit(struct entry_parents *parents, const Dwarf_Die *die);
/* The index of the entry, which can have others inside. UINT32_MAX: it is not among them. */
uint32_t scope_entries_find(const struct scope_entries *entries, const Dwarf_Die *die);

#endif
