/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the names of the libraries that an ELF file needs. */
#include "sanitized.h"
#include "system_calls.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RUNTIME     "libasan.so"
#define PERMIT      "verify_asan_link_order=0"
#define OPTIONS     "ASAN_OPTIONS="
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

static bool is_runtime(int fd, uint64_t name)
{
	char start[sizeof RUNTIME - 1];
	return read_at(fd, start, sizeof start, name) && memcmp(start, RUNTIME, sizeof start) == 0;
}

/* Calls `visit` for the entries of the dynamic section until it returns true, which is returned. */
static bool visit_entries(int fd, const ElfW(Phdr) * dynamic,
	bool (*visit)(int fd, const ElfW(Dyn) * entry, uint64_t *data), uint64_t *data)
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
		if (visit(fd, entry, data))
			return true;
	}
	return false;
}

static bool find_names(int fd, const ElfW(Dyn) * entry, uint64_t *names)
{
	(void)fd;
	*names = entry->d_un.d_ptr;
	return entry->d_tag == DT_STRTAB;
}

static bool find_runtime(int fd, const ElfW(Dyn) * entry, uint64_t *names)
{
	return entry->d_tag == DT_NEEDED && is_runtime(fd, *names + entry->d_un.d_val);
}

bool needs_address_sanitizer(int fd, const ElfW(Ehdr) * header)
{
	ElfW(Phdr) dynamic;
	uint64_t address, names;
	return find_dynamic(fd, header, &dynamic) && visit_entries(fd, &dynamic, find_names, &address) &&
	       file_offset(fd, header, address, &names) && visit_entries(fd, &dynamic, find_runtime, &names);
}

bool environment_permits_preload(char *const *environment)
{
	for (; environment && *environment; environment++)
		if (strncmp(*environment, OPTIONS, strlen(OPTIONS)) == 0)
			return strstr(*environment, PERMIT) != 0;
	return false;
}
