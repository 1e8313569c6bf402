/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One ELF file, opened for reading: identity, sections, bytes at a virtual address. Any architecture. */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include "error.h"
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_TEXT 129 /* hex digits and the NUL; longer ids are cut */

struct elf_file {
	char *path;
	Elf *elf;
	void *memory; /* of a file that exists only in memory, else 0 */
	GElf_Ehdr header;
	uint64_t size;
	uint64_t device, inode,
		modified;  /* which file it is, and when it was written, in nanoseconds; 0 of one in memory */
	const char *bytes; /* the whole file */
	char build_id[BUILD_ID_TEXT]; /* "" if it has none */
	char checksum[48];            /* "size:mtime", as load objects are recorded */
};

/* Opens a regular file that is ELF. 0 with *error set otherwise. */
struct elf_file *elf_file_open(const char *path, struct error *error);
/* As elf_file_open(), for bytes in memory, which it takes over (also when it fails). */
struct elf_file *elf_file_from_memory(char *memory, size_t size, const char *path);
void elf_file_close(struct elf_file *file);

/* The section of that name, its header in *header, or 0. */
Elf_Scn *elf_file_section(const struct elf_file *file, const char *name, GElf_Shdr *header);
/* The bytes of a section's file image, or 0 if it has none. */
const unsigned char *elf_file_section_bytes(const struct elf_file *file, const GElf_Shdr *header);
/* The bytes of the file that are loaded at a virtual address, *size of them up to the segment's end; 0 if none are. */
const unsigned char *elf_file_at(const struct elf_file *file, uint64_t address, uint64_t *size);
/* Whether a virtual address is in what is loaded of the file, or in its zeroed memory. */
bool elf_file_holds(const struct elf_file *file, uint64_t address);
/* Calls `visit` for each stretch of executable code: sections, or segments when the file has no sections. */
void elf_file_code(
	const struct elf_file *file, void (*visit)(void *context, uint64_t low, uint64_t high), void *context);

#endif
