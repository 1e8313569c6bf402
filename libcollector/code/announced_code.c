/* SPDX-License-Identifier: Apache-2.0 */
/* The table of announced functions that there are, and what the experiment is told of it. The lock is that of the load objects:
   both change what an address means, and it is held across fork. */
#include "announced_code.h"
#include "capture.h"
#include "collector.h"
#include "event_log.h"
#include "load_objects.h"
#include "pages.h"
#include "search.h"
#include "system_calls.h"
#include "text.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static struct place {
	uint64_t start, end;
} * places; /* ascending, none overlapping */
static size_t count_of_places, capacity;
static uint64_t lines_written; /* of map.xml, about announced code */

/* The first place that ends behind an address. */
static size_t find(uint64_t address)
{
	return FIRST_WHERE(i, count_of_places, places[i].end > address);
}

static bool make_room(void)
{
	if (count_of_places < capacity)
		return true;
	size_t size = capacity ? capacity * 2 * sizeof *places : PAGE_UNIT;
	struct place *larger = pages_map(size);
	if (!larger) {
		count(TALLY_events_lost_memory, 1);
		return false;
	}
	if (places) {
		memcpy(larger, places, count_of_places * sizeof *places);
		pages_unmap(places, capacity * sizeof *places);
	}
	places = larger;
	capacity = size / sizeof *places;
	return true;
}

static void write_gone(uint64_t address)
{
	struct log_line *line = event_log_hold();
	if (!line)
		return;
	log_write_function_gone(line, &collector.directory, address, capture_generation(), event_log_time());
	event_log_release();
	lines_written++;
}

static void remove_place(size_t index)
{
	uint64_t start = places[index].start;
	count_of_places--;
	memmove(places + index, places + index + 1, (count_of_places - index) * sizeof *places);
	write_gone(start);
}

/* The code there is other code from now on. */
static void remove_overlapping(uint64_t start, uint64_t end)
{
	size_t index = find(start);
	if (index < count_of_places && places[index].start < end)
		capture_new_generation();
	while (index < count_of_places && places[index].start < end)
		remove_place(index);
}

static void add_place(uint64_t start, uint64_t end)
{
	if (!make_room())
		return;
	size_t index = find(start);
	memmove(places + index + 1, places + index, (count_of_places - index) * sizeof *places);
	places[index] = (struct place){start, end};
	count_of_places++;
}

/* Appends bytes to the file of code. Returns where they are, NOT_SAVED if they are not: they may not be readable. */
#define NOT_SAVED UINT64_MAX
static uint64_t save(int fd, const void *bytes, uint64_t size)
{
	struct stat status;
	if (fd < 0 || !size || system_call(SYS_fstat, fd, &status) < 0)
		return NOT_SAVED;
	return sys_write(fd, bytes, size) == (long)size ? (uint64_t)status.st_size : NOT_SAVED;
}

static void write_function(const struct announced_code *code)
{
	char address[24];
	struct text text = {.bytes = address, .capacity = sizeof address - 1};
	text_append(&text, "0x", 2);
	text_number(&text, code->address, 16, 1);
	address[text.size] = 0;
	int fd = experiment_directory_open_file(
		&collector.directory, ANNOUNCED_CODE_FILE, O_WRONLY | O_CREAT | O_APPEND);
	uint64_t code_at = save(fd, (const void *)(uintptr_t)code->address, code->size);
	uint64_t lines_at = save(fd, code->lines, code->lines_size);
	if (fd >= 0)
		sys_close(fd);
	struct log_line *line = event_log_hold();
	if (!line)
		return;
	struct map_function function = {.address = code->address,
		.size = code->size,
		.generation = capture_generation(),
		.time = event_log_time(),
		.name = code->name && code->name[0] ? code->name : address,
		.alias = code->alias,
		.source = code->source,
		.code_offset = code_at,
		.lines_offset = lines_at,
		.lines_size = lines_at == NOT_SAVED ? 0 : code->lines_size};
	log_write_function(line, &collector.directory, &function);
	event_log_release();
	lines_written++;
}

void announced_code_add(const struct announced_code *code)
{
	uint64_t end;
	if (__builtin_add_overflow(code->address, code->size, &end) || !load_objects_hold())
		return;
	remove_overlapping(code->address, end);
	add_place(code->address, end);
	write_function(code);
	load_objects_release();
}

void announced_code_remove(uint64_t address)
{
	if (!load_objects_hold())
		return;
	size_t index = find(address);
	if (index < count_of_places && places[index].start == address) {
		capture_new_generation();
		remove_place(index);
	}
	load_objects_release();
}

void announced_code_in_child(void)
{
	static char parent[sizeof collector.lineage];
	uint64_t inherited = lines_written;
	if (!inherited)
		return;
	lines_written = 0;
	memcpy(parent, collector.lineage, sizeof parent);
	char *last = strrchr(parent, '_');
	if (last)
		*last = 0;
	struct log_line *line = event_log_hold();
	if (!line)
		return;
	log_write_functions_inherited(line, &collector.directory, parent, inherited);
	event_log_release();
	lines_written = 1;
}
