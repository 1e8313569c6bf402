/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compilation units of one load object: found by their ranges, parsed when needed. */
#include "units.h"
#include "archive_name.h"
#include "scopes.h"
#include "search.h"
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct interval_list {
	struct interval *array;
	uint32_t count;
};

static void add_interval(struct interval_list *list, uint64_t low, uint64_t high, uint32_t unit)
{
	/* Code that the linker threw away is left at address 0 or -1. */
	if (!low || low >= high)
		return;
	list->array = memory_room(list->array, list->count, sizeof *list->array);
	/* Where two units claim the same code the first keeps it. */
	list->array[list->count++] = (struct interval){low, high, unit, UINT32_MAX - unit};
}

/* A unit's code by its own ranges. False if it gives none. */
static bool add_ranges(struct interval_list *list, struct unit *unit, uint32_t number)
{
	Dwarf_Addr base, low, high;
	uint32_t before = list->count;
	ptrdiff_t offset = 0;
	while ((offset = dwarf_ranges(&unit->die, offset, &base, &low, &high)) > 0)
		add_interval(list, low, high, number);
	return list->count > before;
}

/* Units without ranges of their own, by .debug_aranges. */
static void add_aranges(struct interval_list *list, struct units *units, Dwarf *dwarf, const bool *known)
{
	Dwarf_Aranges *table;
	size_t count;
	if (dwarf_getaranges(dwarf, &table, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Addr low;
		Dwarf_Word size;
		Dwarf_Off offset;
		Dwarf_Die die;
		if (dwarf_getarangeinfo(dwarf_onearange(table, i), &low, &size, &offset) || size > UINT64_MAX - low ||
			!dwarf_offdie(dwarf, offset, &die))
			continue;
		/* Units are in the order of their offsets. */
		uint32_t unit = FIRST_WHERE(u, units->count, dwarf_dieoffset(&units->array[u].die) >= offset);
		if (unit < units->count && !known[unit] && dwarf_dieoffset(&units->array[unit].die) == offset)
			add_interval(list, low, low + size, unit);
	}
}

void units_find(struct units *units, Dwarf *dwarf, struct strings *paths)
{
	units->paths = paths;
	Dwarf_CU *cu = 0;
	Dwarf_Die die;
	uint8_t type;
	/* dwarf_get_units moves on by the length of each unit, so it ends. */
	while (!dwarf_get_units(dwarf, cu, &cu, 0, &type, &die, 0)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		units->array = memory_room(units->array, units->count, sizeof *units->array);
		units->array[units->count++] = (struct unit){.die = die};
	}
	struct interval_list list = {0};
	bool *known = memory_new(units->count, sizeof *known), all = true;
	for (uint32_t i = 0; i < units->count; i++)
		all &= known[i] = add_ranges(&list, &units->array[i], i);
	if (!all)
		add_aranges(&list, units, dwarf, known);
	free(known);
	interval_map_build(&units->owner, list.array, list.count);
	free(list.array);
}

void units_free(struct units *units)
{
	for (uint32_t i = 0; i < units->count; i++) {
		free(units->array[i].file_numbers);
		free(units->array[i].scopes);
		free(units->array[i].own_copies);
		interval_map_free(&units->array[i].innermost);
	}
	free(units->array);
	interval_map_free(&units->owner);
	*units = (struct units){0};
}

void unit_open(struct unit *unit)
{
	if (unit->opened)
		return;
	unit->opened = true;
	uint8_t type;
	Dwarf_Die inner;
	unit->inner = unit->die;
	/* Opens the .dwo file of a split unit; where it is missing the skeleton still has the lines. */
	if (!dwarf_cu_info(unit->die.cu, 0, &type, 0, &inner, 0, 0, 0) && type == DW_UT_skeleton) {
		unit->incomplete = !inner.addr;
		if (inner.addr)
			unit->inner = inner;
	}
}

void unit_parse(struct unit *unit)
{
	if (unit->parsed)
		return;
	unit->parsed = true;
	unit_open(unit);
	if (dwarf_getsrclines(&unit->die, &unit->rows, &unit->row_count))
		unit->row_count = 0;
	if (dwarf_getsrcfiles(&unit->die, &unit->files, &unit->file_count))
		unit->file_count = 0;
	if (dwarf_getsrcfiles(&unit->inner, &unit->call_files, &unit->call_file_count))
		unit->call_file_count = 0;
	unit->file_numbers = memory_new(unit->file_count, sizeof *unit->file_numbers);
	memset(unit->file_numbers, 0xff, unit->file_count * sizeof *unit->file_numbers);
	unit_find_scopes(unit);
}

struct unit *units_at(struct units *units, uint64_t address)
{
	uint32_t number = interval_map_find(&units->owner, address);
	if (number == NO_INTERVAL)
		return 0;
	unit_parse(&units->array[number]);
	return &units->array[number];
}

/* dwarf_decl_file() aborts where the unit has no table of files. */
const char *entry_file(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t count;
	Dwarf_Die unit;
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) || dwarf_formudata(&attribute, &number) ||
		!dwarf_cu_die(attribute.cu, &unit, 0, 0, 0, 0, 0, 0) || dwarf_getsrcfiles(&unit, &files, &count) ||
		number >= count)
		return 0;
	return dwarf_filesrc(files, number, 0, 0);
}

uint32_t unit_path(struct units *units, struct unit *unit, const char *path)
{
	if (!path || !*path)
		return 0;
	Dwarf_Attribute attribute;
	const char *directory = 0;
	if (*path != '/' && dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute))
		directory = dwarf_formstring(&attribute);
	char *clean = memory_new((directory ? strlen(directory) : 0) + strlen(path) + 2, 1);
	if (directory)
		strcat(strcpy(clean, directory), "/");
	archive_simplify_path(strcat(clean, path));
	uint32_t number = strings_number(units->paths, clean);
	free(clean);
	return number;
}

uint32_t unit_file(struct units *units, struct unit *unit, size_t index)
{
	if (index >= unit->file_count)
		return 0;
	if (unit->file_numbers[index] == NO_SCOPE)
		unit->file_numbers[index] = unit_path(units, unit, dwarf_filesrc(unit->files, index, 0, 0));
	return unit->file_numbers[index];
}

/* The largest address for a row that has none. */
static Dwarf_Addr row_address(const struct unit *unit, uint64_t index)
{
	Dwarf_Addr address;
	return dwarf_lineaddr(dwarf_onesrcline(unit->rows, index), &address) ? UINT64_MAX : address;
}

/* The last row at or before the address; the end of a sequence is no row. */
static Dwarf_Line *row_at(const struct unit *unit, uint64_t address)
{
	uint64_t after = FIRST_WHERE(i, unit->row_count, row_address(unit, i) > address);
	if (!after)
		return 0;
	Dwarf_Line *row = dwarf_onesrcline(unit->rows, after - 1);
	bool end = false;
	return dwarf_lineendsequence(row, &end) || end ? 0 : row;
}

uint32_t unit_line(struct units *units, struct unit *unit, uint64_t address, uint32_t *file)
{
	Dwarf_Line *row = row_at(unit, address);
	Dwarf_Files *files;
	size_t index;
	int line = 0;
	*file = 0;
	if (!row || dwarf_lineno(row, &line) || line <= 0 || dwarf_line_file(row, &files, &index))
		return 0;
	*file = unit_file(units, unit, index);
	return (uint32_t)line;
}

uint32_t unit_scope(const struct unit *unit, uint64_t address)
{
	return interval_map_find(&unit->innermost, address);
}
