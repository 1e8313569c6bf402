/* SPDX-License-Identifier: Apache-2.0 */
/* From load objects to source files by their debug information: see archive_sources.h. */
#include "archive_sources.h"
#include "archive_name.h"
#include "interrupt.h"
#include "search.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Code addresses of one load object, as in its file; sorted, each once. */
struct addresses {
	uint64_t *values;
	size_t count, capacity;
};

static void add_address(struct addresses *addresses, uint64_t value)
{
	if (addresses->count == addresses->capacity) {
		size_t capacity = addresses->capacity ? 2 * addresses->capacity : 256;
		uint64_t *values = realloc(addresses->values, capacity * sizeof *values);
		if (!values)
			return;
		addresses->values = values;
		addresses->capacity = capacity;
	}
	addresses->values[addresses->count++] = value;
}

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return COMPARE(a, b);
}

static void sort_addresses(struct addresses *addresses)
{
	if (addresses->count == 0)
		return;
	qsort(addresses->values, addresses->count, sizeof *addresses->values, by_value);
	size_t kept = 1;
	for (size_t i = 1; i < addresses->count; i++)
		if (addresses->values[i] != addresses->values[kept - 1])
			addresses->values[kept++] = addresses->values[i];
	addresses->count = kept;
}

/* Every frame of every stack that lies in a segment of this file. A return address stands for its call. */
static void collect_addresses(
	const struct experiment *experiment, const struct mapped_segment *segment, struct addresses *addresses)
{
	for (uint32_t id = 1; id < experiment->stacks.count; id++) {
		const struct stack_node *node = experiment_stack_node(experiment, id);
		if (!node || node->flags & (NODE_ROOT | NODE_JOIN))
			continue;
		uint64_t pc = node->flags & NODE_EXACT ? node->pc : node->pc - 1;
		if (pc - segment->address < segment->size)
			add_address(addresses, pc - segment->address + segment->file_address);
	}
	sort_addresses(addresses);
}

/* One source file by its name in the debug information of a compilation unit. */
static void archive_source(struct archive *archive, Dwarf_Die *unit, const char *name)
{
	char path[PATH_MAX], archived[ARCHIVE_NAME_MAX];
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (!name)
		return;
	int size = name[0] == '/' || !folder ? snprintf(path, sizeof path, "%s", name)
					     : snprintf(path, sizeof path, "%s/%s", folder, name);
	if (size < 0 || (size_t)size >= sizeof path || path[0] != '/')
		return;
	archive_simplify_path(path);
	/* Sources of packages are rarely there: that is no news. */
	if (access(path, R_OK) != 0)
		return;
	archive_source_name(archived, path);
	int code = archive_copy(archive, path, archived);
	if (code != 0)
		archive_warn(archive, "not archived: %s: %s", path, strerror(code));
}

static void archive_all_of_unit(struct archive *archive, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	size_t count;
	archive_source(archive, unit, dwarf_diename(unit));
	if (dwarf_getsrcfiles(unit, &files, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++)
		archive_source(archive, unit, dwarf_filesrc(files, i, 0, 0));
}

/* The line of an address, where its function is declared, and where the calls that are inlined around it stand. */
static void archive_of_address(struct archive *archive, Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Die *scopes;
	Dwarf_Files *files;
	size_t file_count;
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	if (line)
		archive_source(archive, unit, dwarf_linesrc(line, 0, 0));
	int count = dwarf_getscopes(unit, address, &scopes);
	if (count <= 0)
		return;
	bool have_files = dwarf_getsrcfiles(unit, &files, &file_count) == 0;
	for (int i = 0; i < count; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Word file;
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			archive_source(archive, unit, dwarf_decl_file(&scopes[i]));
		else if (have_files && dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine &&
			 dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file) == 0)
			archive_source(archive, unit, dwarf_filesrc(files, file, 0, 0));
	}
	free(scopes);
}

static size_t first_not_below(const struct addresses *addresses, uint64_t value)
{
	return FIRST_WHERE(i, addresses->count, addresses->values[i] >= value);
}

static void archive_used_of_unit(struct archive *archive, Dwarf_Die *unit, const struct addresses *used)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	while ((offset = dwarf_ranges(unit, offset, &base, &start, &end)) > 0)
		for (size_t i = first_not_below(used, start); i < used->count && used->values[i] < end; i++)
			archive_of_address(archive, unit, used->values[i]);
}

/* `used`: 0 for all sources. Addresses of the debug information are those of the file: nothing is relocated. */
static void archive_sources_of(struct archive *archive, const char *path, const struct addresses *used)
{
	static char *no_debug_path;
	const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &no_debug_path,
	};
	Dwfl *session = dwfl_begin(&callbacks);
	Dwfl_Module *module = session ? dwfl_report_offline(session, "", path, -1) : 0;
	Dwarf_Addr bias;
	Dwarf *debug = module ? dwfl_module_getdwarf(module, &bias) : 0;
	Dwarf_CU *cursor = 0;
	Dwarf_Die unit;
	while (debug && !interrupt_pending() && dwarf_get_units(debug, cursor, &cursor, 0, 0, &unit, 0) == 0) {
		if (used)
			archive_used_of_unit(archive, &unit, used);
		else
			archive_all_of_unit(archive, &unit);
	}
	if (session)
		dwfl_end(session);
}

void archive_sources(struct archive *archive, const struct experiment *experiment, bool only_used)
{
	/* Looking for debug information must not go to the network. */
	unsetenv("DEBUGINFOD_URLS");
	for (size_t i = 0; i < experiment->segment_count && !interrupt_pending(); i++) {
		const struct mapped_segment *segment = &experiment->segments[i];
		if (segment->path[0] != '/' || strcmp(segment->path, archive->collector) == 0 ||
			!file_unchanged(segment->path, segment->checksum))
			continue;
		struct addresses used = {0};
		if (only_used)
			collect_addresses(experiment, segment, &used);
		if (!only_used || used.count)
			archive_sources_of(archive, segment->path, only_used ? &used : 0);
		free(used.values);
	}
}
