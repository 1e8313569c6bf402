/* SPDX-License-Identifier: Apache-2.0 */
/* Entries by descriptor; names by their hash, each told once in the log. */
#include "files.h"
#include "collector.h"
#include "descriptor_table.h"
#include "descriptors.h"
#include "event_log.h"
#include "hold.h"
#include "pages.h"
#include "system_calls.h"
#include "text.h"
#include <fcntl.h>
#include <string.h>

enum { NAMES = 1 << 16, PATH_SIZE = 4096 };

static struct descriptor_table entries; /* file << 32 | opening */
static uint32_t openings;               /* atomic */

/* Under the hold: the names that were told, by hash; full, a name may be told again under another number. */
static struct hold hold;
static struct hashed_name {
	uint64_t hash; /* 0: the place is free */
	uint32_t file;
} * names;
static uint32_t files, name_count;
static char link_name[64], link_target[PATH_SIZE];

static void forget_range(unsigned first, unsigned last)
{
	descriptors_forget(&entries, first, last);
}

void files_start(void)
{
	hold_release(&hold); /* another thread may have had it when this process was forked */
	descriptors_forget_all(&entries);
	if (names)
		pages_unmap(names, NAMES * sizeof *names);
	names = pages_map(NAMES * sizeof *names);
	files = name_count = openings = 0;
	descriptors_watch(forget_range);
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash ? hash : 1;
}

static uint32_t tell(const char *name)
{
	struct log_line *line = event_log_begin("io_file");
	if (!line)
		return 0;
	log_number_attribute(line, "file", ++files);
	log_text_attribute(line, "name", name);
	event_log_end(line, 0);
	return files;
}

/* The number of a name. Under the hold. */
static uint32_t number_of(const char *name)
{
	uint64_t hash = hash_of(name);
	/* Linear probing slows down in a full table: a program with more names pays with lines in the log instead. */
	if (!names || name_count >= NAMES / 2)
		return tell(name);
	uint64_t place = hash % NAMES;
	while (names[place].hash && names[place].hash != hash)
		place = (place + 1) % NAMES;
	if (!names[place].hash) {
		uint32_t file = tell(name);
		if (!file)
			return 0;
		names[place] = (struct hashed_name){hash, file};
		name_count++;
	}
	return names[place].file;
}

/* The number of what /proc says of a descriptor, else of a path. Under the hold. */
static uint32_t look_up(int descriptor, const char *path)
{
	struct text text = {.bytes = link_name, .capacity = sizeof link_name - 1};
	text_string(&text, "/proc/self/fd/");
	text_number(&text, (uint64_t)descriptor, 10, 1);
	link_name[text.size] = 0;
	/* /proc says what the descriptor is, whoever opened it and by whatever path: relative ones, pipes and sockets, too. */
	long size = system_call(SYS_readlinkat, AT_FDCWD, link_name, link_target, sizeof link_target - 1);
	if (size > 0) {
		link_target[size] = 0;
		return number_of(link_target);
	}
	return path ? number_of(path) : 0;
}

static struct io_entry unpack(uint64_t packed)
{
	return (struct io_entry){(uint32_t)(packed >> 32), (uint32_t)packed};
}

static struct io_entry learn(int descriptor, const char *path)
{
	uint32_t before = __atomic_load_n(&entries.changes, __ATOMIC_ACQUIRE);
	if (!hold_take(&hold))
		return (struct io_entry){0, 0};
	uint32_t file = look_up(descriptor, path);
	hold_release(&hold);
	uint64_t packed =
		file ? (uint64_t)file << 32 | __atomic_add_fetch(&openings, 1, __ATOMIC_RELAXED) : (uint64_t)0;
	descriptor_learn(&entries, descriptor, packed, before);
	return unpack(packed);
}

struct io_entry files_of(int descriptor)
{
	uint64_t packed = descriptor_number(&entries, descriptor);
	if (packed)
		return unpack(packed);
	return descriptor < 0 ? (struct io_entry){0, 0} : learn(descriptor, 0);
}

struct io_entry files_opened(int descriptor, const char *path)
{
	return descriptor < 0 ? (struct io_entry){0, 0} : learn(descriptor, path);
}

struct io_entry files_named(const char *path)
{
	struct io_entry entry = {0, 0};
	if (path && hold_take(&hold)) {
		entry.file = number_of(path);
		hold_release(&hold);
	}
	return entry;
}

void files_forget(int descriptor)
{
	descriptors_forget(&entries, (unsigned)descriptor, (unsigned)descriptor);
}
