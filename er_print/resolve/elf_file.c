/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One ELF file, opened for reading with libelf. */
#include "elf_file.h"
#include "storage.h"
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_build_id(struct elf_file *file)
{
	const void *bits;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &bits);
	if (size > (BUILD_ID_TEXT - 1) / 2)
		size = (BUILD_ID_TEXT - 1) / 2;
	for (ssize_t i = 0; i < size; i++)
		sprintf(file->build_id + 2 * i, "%02x", ((const unsigned char *)bits)[i]);
}

/* Takes over `elf`. */
static struct elf_file *from_elf(Elf *elf, const char *path, void *memory)
{
	struct elf_file *file = memory_new(1, sizeof *file);
	file->elf = elf;
	file->memory = memory;
	file->path = memory_new(strlen(path) + 1, 1);
	strcpy(file->path, path);
	size_t size = 0;
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file->header) ||
		!(file->bytes = elf_rawfile(elf, &size))) {
		elf_file_close(file);
		return 0;
	}
	file->size = size;
	read_build_id(file);
	return file;
}

struct elf_file *elf_file_open(const char *path, struct error *error)
{
	elf_version(EV_CURRENT);
	/* A recorded path may name anything by now: a FIFO must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	if (fd < 0) {
		error_set(error, "%s: %s", path, strerror(errno));
		return 0;
	}
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		error_set(error, "%s: not a regular file", path);
		return 0;
	}
	/* Private, so that a file that is overwritten later cannot change what was checked. */
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, 0);
	struct elf_file *file = from_elf(elf, path, 0);
	if (!file) {
		close(fd);
		error_set(error, "%s: not an ELF file", path);
		return 0;
	}
	snprintf(file->checksum, sizeof file->checksum, "%jd:%jd", (intmax_t)status.st_size, (intmax_t)status.st_mtime);
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->modified = (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
	/* libdw finds what lies beside a file (.dwo, alternate debug files) through its descriptor: it stays open. */
	return file;
}

struct elf_file *elf_file_from_memory(char *memory, size_t size, const char *path)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(memory, size);
	if (!elf) {
		free(memory);
		return 0;
	}
	return from_elf(elf, path, memory);
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	free(file->memory);
	free(file->path);
	free(file);
}

Elf_Scn *elf_file_section(const struct elf_file *file, const char *name, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(file->elf, &names))
		return 0;
	for (Elf_Scn *section = 0; (section = elf_nextscn(file->elf, section));) {
		const char *found;
		if (gelf_getshdr(section, header) && (found = elf_strptr(file->elf, names, header->sh_name)) &&
			!strcmp(found, name))
			return section;
	}
	return 0;
}

const unsigned char *elf_file_section_bytes(const struct elf_file *file, const GElf_Shdr *header)
{
	if (header->sh_type == SHT_NOBITS || header->sh_offset > file->size ||
		header->sh_size > file->size - header->sh_offset)
		return 0;
	return (const unsigned char *)file->bytes + header->sh_offset;
}

static size_t segment_count(const struct elf_file *file)
{
	size_t count;
	return elf_getphdrnum(file->elf, &count) ? 0 : count;
}

const unsigned char *elf_file_at(const struct elf_file *file, uint64_t address, uint64_t *size)
{
	size_t count = segment_count(file);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(file->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
			address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
			continue;
		uint64_t skip = address - segment.p_vaddr;
		if (segment.p_offset > file->size || skip >= file->size - segment.p_offset)
			continue;
		uint64_t in_file = file->size - segment.p_offset - skip, in_segment = segment.p_filesz - skip;
		*size = in_file < in_segment ? in_file : in_segment;
		return (const unsigned char *)file->bytes + segment.p_offset + skip;
	}
	return 0;
}

bool elf_file_holds(const struct elf_file *file, uint64_t address)
{
	size_t count = segment_count(file);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
			address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_memsz)
			return true;
	}
	return false;
}

void elf_file_code(
	const struct elf_file *file, void (*visit)(void *context, uint64_t low, uint64_t high), void *context)
{
	/* Sections tell code from the constants that linkers put into the same segment; a file that is stripped of section
	   headers has segments only. */
	bool sections = false;
	GElf_Shdr header;
	for (Elf_Scn *section = 0; (section = elf_nextscn(file->elf, section));) {
		if (!gelf_getshdr(section, &header) ||
			(header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR) ||
			header.sh_size > UINT64_MAX - header.sh_addr)
			continue;
		visit(context, header.sh_addr, header.sh_addr + header.sh_size);
		sections = true;
	}
	size_t count = sections ? 0 : segment_count(file);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
			segment.p_memsz <= UINT64_MAX - segment.p_vaddr)
			visit(context, segment.p_vaddr, segment.p_vaddr + segment.p_memsz);
	}
}
