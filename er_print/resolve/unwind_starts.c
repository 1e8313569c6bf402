/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where functions start according to the search table of the unwind information (.eh_frame_hdr): in a stripped file the
   only thing that separates one function from the next. */
#include "search.h"
#include "symbol_tables.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static uint64_t table_address(const struct elf_file *file)
{
	size_t count;
	if (elf_getphdrnum(file->elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_GNU_EH_FRAME)
			return segment.p_vaddr;
	}
	return 0;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return COMPARE(*x, *y);
}

/* The one form that linkers write: version 1, pointer to .eh_frame of 4 bytes, 32-bit count, pairs of 32-bit offsets from
   the table's own address. Another form is as good as none. */
uint64_t *unwind_starts(const struct elf_file *file, uint32_t *count)
{
	*count = 0;
	uint64_t address = table_address(file), size;
	const unsigned char *table = address ? elf_file_at(file, address, &size) : 0;
	if (!table || size < 12 || table[0] != 1 || (table[1] & 0x0f) != DW_EH_PE_sdata4 ||
		table[2] != DW_EH_PE_udata4 || table[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
		file->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	uint32_t entries;
	memcpy(&entries, table + 8, sizeof entries);
	if (entries > (size - 12) / 8)
		entries = (uint32_t)((size - 12) / 8);
	uint64_t *starts = memory_new(entries, sizeof *starts);
	for (uint32_t i = 0; i < entries; i++) {
		int32_t offset;
		memcpy(&offset, table + 12 + 8 * (size_t)i, sizeof offset);
		starts[i] = address + (uint64_t)(int64_t)offset;
	}
	qsort(starts, entries, sizeof *starts, ascending);
	*count = entries;
	return starts;
}
