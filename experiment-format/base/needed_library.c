/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the names of the libraries that an ELF file needs. */
#include "needed_library.h"
#include "system_calls.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ENTRIES     32   /* of the dynamic section that are read at once */
#define ENTRIES_MAX 4096 /* more is no program's */

static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
	return system_call(SYS_pread64, fd, bytes, size, offset) == (long)size;
}

static bool read_segment(int fd, const ElfW(Ehdr) * header, unsigned index, ElfW(Phdr) * segment)
{
	return index < header->e_phnum && header->e_phentsize == sizeof *segment &&
	       read_at(fd, segment, sizeof *segment, header->e_phoff + index * sizeof *segment);
}

static bool find_dynamic(int fd, const ElfW(Ehdr) * header, ElfW(Phdr) * dynamic)
{
	for (unsigned i = 0; read_segment(fd, header, i, dynamic); i++)
		if (dynamic->p_type == PT_DYNAMIC)
			return true;
	return false;
}

/* Where in the file an address is; false if nowhere. */
static bool file_offset(int fd, const ElfW(Ehdr) * header, uint64_t address, uint64_t *offset)
{
	ElfW(Phdr) segment;
	for (unsigned i = 0; read_segment(fd, header, i, &segment); i++) {
		if (segment.p_type != PT_LOAD || address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}

/* A library that is looked for, and where the names are. */
struct wanted {
	const char *start;
	uint64_t names; /* first their address, then their place in the file */
};
#define START_MOST 64

static bool begins_so(int fd, uint64_t name, const char *wanted)
{
	char start[START_MOST];
	size_t size = strlen(wanted);
	return size <= sizeof start && read_at(fd, start, size, name) && memcmp(start, wanted, size) == 0;
}

/* Calls `visit` for the entries of the dynamic section until it returns true, which is returned. */
static bool visit_entries(int fd, const ElfW(Phdr) * dynamic,
	bool (*visit)(int fd, const ElfW(Dyn) * entry, struct wanted *wanted), struct wanted *wanted)
{
	ElfW(Dyn) entries[ENTRIES];
	uint64_t count = dynamic->p_filesz / sizeof *entries;
	for (uint64_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		size_t left = count - i < ENTRIES ? (size_t)(count - i) : ENTRIES;
		if (i % ENTRIES == 0 &&
			!read_at(fd, entries, left * sizeof *entries, dynamic->p_offset + i * sizeof *entries))
			return false;
		const ElfW(Dyn) *entry = &entries[i % ENTRIES];
		if (entry->d_tag == DT_NULL)
			return false;
		if (visit(fd, entry, wanted))
			return true;
	}
	return false;
}

static bool find_names(int fd, const ElfW(Dyn) * entry, struct wanted *wanted)
{
	(void)fd;
	wanted->names = entry->d_un.d_ptr;
	return entry->d_tag == DT_STRTAB;
}

static bool find_library(int fd, const ElfW(Dyn) * entry, struct wanted *wanted)
{
	return entry->d_tag == DT_NEEDED && begins_so(fd, wanted->names + entry->d_un.d_val, wanted->start);
}

bool needs_library(int fd, const ElfW(Ehdr) * header, const char *start)
{
	ElfW(Phdr) dynamic;
	struct wanted wanted = {start, 0};
	return find_dynamic(fd, header, &dynamic) && visit_entries(fd, &dynamic, find_names, &wanted) &&
	       file_offset(fd, header, wanted.names, &wanted.names) &&
	       visit_entries(fd, &dynamic, find_library, &wanted);
}
