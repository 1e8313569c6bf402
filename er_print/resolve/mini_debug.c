/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table that some distributions leave in stripped files: an xz-packed ELF file in .gnu_debugdata. */
#include "symbol_tables.h"
#include <lzma.h>
#include <stdlib.h>

enum { RATIO_MAX = 64, MEMORY_MAX = 64 << 20 }; /* against bombs; real ones unpack to three or four times their size */

struct elf_file *mini_debug_open(const struct elf_file *file)
{
	GElf_Shdr header;
	const unsigned char *packed;
	if (!elf_file_section(file, ".gnu_debugdata", &header) || !(packed = elf_file_section_bytes(file, &header)) ||
		header.sh_size > SIZE_MAX / RATIO_MAX)
		return 0;
	uint64_t limit = MEMORY_MAX;
	size_t from = 0, to = 0, room = header.sh_size * RATIO_MAX;
	unsigned char *unpacked = malloc(room);
	if (!unpacked || lzma_stream_buffer_decode(&limit, 0, 0, packed, &from, header.sh_size, unpacked, &to, room) !=
				 LZMA_OK) {
		free(unpacked);
		return 0;
	}
	return elf_file_from_memory(memory_resize(unpacked, to, 1), to, file->path);
}
