/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping map.xml equal to what the loader has mapped. */
#include "load_objects.h"
#include "announced_code.h"
#include "build_id.h"
#include "capture.h"
#include "collector.h"
#include "event_log.h"
#include "file_headers.h"
#include "hold.h"
#include "process_maps.h"
#include "saved_code.h"
#include "segment_table.h"
#include "system_calls.h"
#include "target_memory.h"
#include "text.h"
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

struct unlisted_range load_objects_unlisted;
static struct hold hold;
static bool forked; /* another thread of the parent may have held the loader's lock, for ever now: maps must do */
static unsigned long long last_adds, last_subs; /* the loader's counts at the last update */
static bool looked_at_maps, something_gone;     /* in the current comparison */

static bool in_handler; /* of ours: then the log is not waited for */

/* With the hold. */
static void visit_maps(bool (*f)(const struct mapping *mapping, void *data), void *data)
{
	static char buffer[16384];
	process_maps_visit(buffer, sizeof buffer, f, data);
}

static void write_map(struct segment *segment)
{
	char identity[48];
	struct text text = {.bytes = identity, .capacity = sizeof identity - 1};
	struct log_line *line = in_handler ? event_log_try_hold() : event_log_hold();
	if (!line) { /* it is seen again at the next look */
		segment->mapped = !in_handler;
		return;
	}
	text_number(&text, segment->file_size, 10, 1);
	text_append(&text, ":", 1);
	text_number(&text, segment->file_time, 10, 1);
	identity[text.size] = 0;
	struct map_segment map = {.address = segment->address,
		.size = segment->size,
		.file_offset = segment->file_offset,
		.file_address = segment->file_address,
		.generation = capture_generation(),
		.time = event_log_time(),
		.path = segment->path,
		.build_id = segment->build_id,
		.checksum = segment->file_size ? identity : ""};
	log_write_map(line, &collector.directory, &map);
	event_log_release();
}

static void write_unmap(struct segment *segment)
{
	struct log_line *line = event_log_hold();
	if (!line)
		return;
	log_write_unmap(line, &collector.directory, segment->address, capture_generation(), event_log_time());
	event_log_release();
}

static void identify_file(struct segment *segment)
{
	struct stat status;
	if (segment->path[0] == '/' && system_call(SYS_newfstatat, AT_FDCWD, segment->path, &status, 0) == 0) {
		segment->file_size = (uint64_t)status.st_size;
		segment->file_time = (uint64_t)status.st_mtim.tv_sec;
	}
}

/* The mapping that covers an address. */
struct search {
	uint64_t address;
	char *path;
	size_t size;
};
static bool match_address(const struct mapping *mapping, void *data)
{
	struct search *search = data;
	if (search->address < mapping->start || search->address >= mapping->end)
		return false;
	strncpy(search->path, mapping->path, search->size - 1);
	return true;
}

static void absolute_path(const char *name, char *path, size_t size)
{
	struct text text = {.bytes = path, .capacity = size - 1};
	if (name[0] != '/') {
		long length = system_call(SYS_getcwd, path, size - 1);
		text.size = length > 0 ? (size_t)length - 1 : 0;
		text_string(&text, "/");
	}
	text_string(&text, name);
	path[text.size] = 0;
}

/* The file of the main program; it is not /proc/self/exe if ld.so was run as a command. */
static void main_program_path(const struct dl_phdr_info *info, uint64_t code, char *path, size_t size)
{
	if (getauxval(AT_PHDR) == (unsigned long)info->dlpi_phdr) {
		const char *executable = process_executable();
		if (executable[0])
			strncpy(path, executable, size - 1);
		else /* no /proc: as it was given to exec */
			absolute_path((const char *)getauxval(AT_EXECFN), path, size);
	} else {
		struct search search = {.address = code, .path = path, .size = size};
		visit_maps(match_address, &search);
	}
}

/* An absolute path for what the loader calls an object; the loader keeps relative names as they were given. */
static void object_path(const struct dl_phdr_info *info, uint64_t code, char *path, size_t size)
{
	struct text text = {.bytes = path, .capacity = size - 1};
	memset(path, 0, size);
	if (getauxval(AT_SYSINFO_EHDR) == info->dlpi_addr && info->dlpi_addr) {
		text_string(&text, VDSO_PATH);
	} else if (!info->dlpi_name[0]) {
		main_program_path(info, code, path, size);
	} else {
		absolute_path(info->dlpi_name, path, size);
	}
}

static void add_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * header)
{
	static char path[4096 + 256];
	uint64_t address = info->dlpi_addr + header->p_vaddr;
	object_path(info, address, path, sizeof path);
	struct segment *segment = segment_add(path);
	if (!segment) {
		count(TALLY_events_lost_memory, 1);
		return;
	}
	segment->address = address;
	segment->size = header->p_memsz;
	segment->listed = true;
	segment->file_offset = header->p_offset;
	segment->file_address = header->p_vaddr;
	build_id_text(info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, segment->build_id);
	identify_file(segment);
	if (strcmp(path, VDSO_PATH) == 0)
		vdso_save(segment->build_id);
	write_map(segment);
}

static bool is_same(const struct segment *segment, const struct dl_phdr_info *info, const ElfW(Phdr) * header)
{
	return segment->address == info->dlpi_addr + header->p_vaddr && segment->size == header->p_memsz &&
	       segment->file_address == header->p_vaddr &&
	       (info->dlpi_name[0] != '/' || strcmp(info->dlpi_name, segment->path) == 0);
}

static void remove_segment(struct segment *segment)
{
	write_unmap(segment);
	segment->mapped = false;
}

static int see_object(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size, (void)data;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		struct segment *there = segment_find(info->dlpi_addr + header->p_vaddr, header->p_memsz);
		if (there && is_same(there, info, header)) {
			there->seen = true;
			continue;
		}
		if (there) {
			/* The loader unmapped and mapped unseen by us: the address has a new meaning. */
			capture_new_generation();
			remove_segment(there);
		}
		add_segment(info, header);
	}
	last_adds = info->dlpi_adds;
	last_subs = info->dlpi_subs;
	return 0;
}

static int read_loader_counts(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	bool *changed = data;
	*changed = info->dlpi_adds != last_adds || info->dlpi_subs != last_subs;
	return 1;
}

static void mark_unseen(struct segment *segment)
{
	segment->seen = false;
}

static void note_gone(struct segment *segment)
{
	/* Only a look at maps sees what is not listed. */
	segment->seen |= !segment->listed && !looked_at_maps;
	something_gone |= !segment->seen;
}

static void remove_gone(struct segment *segment)
{
	if (!segment->seen)
		remove_segment(segment);
}

/* The last mapping of a file's start, which holds its headers: it comes before the one with code. */
static struct {
	char path[4096];
	uint64_t address;
} file_start;

/* Where the mapped code is in its file, by the file's own headers, or by those in memory if the file is out of reach. */
static void locate(struct segment *segment, const struct mapping *mapping)
{
	static unsigned char image[PAGE_UNIT];
	struct file_headers headers;
	segment->file_address = mapping->file_offset;
	if (file_headers_read(mapping, &headers)) {
		file_headers_address(&headers, mapping->file_offset, &segment->file_address);
		build_id_of_image(headers.image, headers.size, segment->build_id);
	} else if (file_start.address && !in_handler && strcmp(file_start.path, mapping->path) == 0) {
		segment->file_address = mapping->start - file_start.address;
		build_id_of_image(image,
			target_memory_read((const void *)(uintptr_t)file_start.address, sizeof image, image),
			segment->build_id);
	}
}

static void add_unlisted(const struct mapping *mapping)
{
	struct segment *segment = segment_add(mapping->path);
	if (!segment)
		return;
	segment->address = mapping->start;
	segment->size = mapping->end - mapping->start;
	segment->file_offset = mapping->file_offset;
	locate(segment, mapping);
	identify_file(segment);
	write_map(segment);
	if (segment->address < load_objects_unlisted.low || !load_objects_unlisted.high)
		__atomic_store_n(&load_objects_unlisted.low, segment->address, __ATOMIC_RELAXED);
	if (segment->address + segment->size > load_objects_unlisted.high)
		__atomic_store_n(&load_objects_unlisted.high, segment->address + segment->size, __ATOMIC_RELAXED);
}

/* Whether it is what the segment was, or a part of that, when it was found in maps. */
static bool is_still(const struct segment *segment, const struct mapping *mapping)
{
	uint64_t before = mapping->start - segment->address;
	return segment->listed ||
	       (mapping->start >= segment->address && mapping->end - segment->address <= segment->size &&
		       segment->file_offset + before == mapping->file_offset &&
		       strcmp(segment->path, mapping->path) == 0);
}

/* Code that the loader does not list: that of other namespaces, and files that programs map themselves. */
static bool see_mapping(const struct mapping *mapping, void *data)
{
	(void)data;
	struct segment *segment = mapping->executable ? segment_find(mapping->start, mapping->end - mapping->start) : 0;
	if (segment && !is_still(segment, mapping)) {
		capture_new_generation();
		remove_segment(segment);
		segment = 0;
	}
	if (segment)
		segment->seen = true;
	if (segment || mapping->path[0] != '/')
		return false;
	if (mapping->file_offset == 0 && mapping->readable) {
		file_start.address = mapping->start;
		strncpy(file_start.path, mapping->path, sizeof file_start.path - 1);
	}
	if (mapping->executable)
		add_unlisted(mapping);
	return false;
}

static void compare(bool with_maps)
{
	segments_visit(mark_unseen);
	if (!forked)
		dl_iterate_phdr(see_object, 0);
	looked_at_maps = with_maps;
	if (with_maps)
		visit_maps(see_mapping, 0);
	something_gone = false;
	segments_visit(note_gone);
	if (something_gone) {
		capture_new_generation();
		segments_visit(remove_gone);
	}
}

void load_objects_start(void)
{
	if (!hold_take_soon(&hold))
		return;
	if (last_adds) {
		segments_visit(write_map);
		announced_code_in_child();
	} else {
		dl_iterate_phdr(see_object, 0);
	}
	hold_release(&hold);
}

/* There is an experiment, and it is this process's. */
static bool may_write(void)
{
	return collector.opened && collector_is_recorded_process();
}

void load_objects_update(void)
{
	bool changed = false;
	if (!collector_recording() || !may_write() || !hold_take_soon(&hold))
		return;
	if (!forked)
		dl_iterate_phdr(read_loader_counts, &changed);
	if (changed || forked)
		compare(forked);
	hold_release(&hold);
}

void load_objects_update_all(void)
{
	if (!may_write() || !hold_take_soon(&hold))
		return;
	compare(true);
	hold_release(&hold);
}

void load_objects_unmapped(uint64_t address, uint64_t size)
{
	if (!collector_recording() || !may_write() || !hold_take_soon(&hold))
		return;
	const struct segment *segment = segment_find(address, size);
	if (segment && !segment->listed)
		compare(true);
	hold_release(&hold);
}

/* The mapping of `data`, an address: code of a file is noted. */
static bool see_address(const struct mapping *mapping, void *data)
{
	uint64_t *address = data;
	if (*address < mapping->start || *address >= mapping->end)
		return false;
	if (mapping->executable && mapping->path[0] == '/') {
		add_unlisted(mapping);
		*address = 0;
	}
	return true;
}

bool load_objects_look_in_handler(uint64_t address)
{
	bool known = true;
	if (!may_write() || !hold_try(&hold))
		return true;
	if (!segment_find(address, 1)) {
		in_handler = true;
		visit_maps(see_address, &address);
		in_handler = false;
		known = address == 0;
	}
	hold_release(&hold);
	return known;
}

/* Code that the loader does not list has no events in a process without a stack, as most of the shortest are; reading maps is a
   tenth of what they cost. */
void load_objects_close(void)
{
	if (capture_has_stacks())
		load_objects_update_all();
	else if (!forked)
		load_objects_update();
	perf_map_save();
}

bool load_objects_hold(void)
{
	return hold_take_soon(&hold);
}

bool load_objects_may_ask_loader(void)
{
	return !forked;
}

void load_objects_in_child(void)
{
	forked = true;
	hold_release(&hold);
}

void load_objects_release(void)
{
	hold_release(&hold);
}
