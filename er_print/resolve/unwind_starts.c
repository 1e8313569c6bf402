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

/* The search table: pairs of a function's start and its entry of .eh_frame, both as 32-bit offsets from `address`. */
struct pairs {
	uint64_t address;
	const unsigned char *bytes;
	uint32_t count;
};

static uint64_t pair_value(const struct pairs *pairs, uint32_t pair, unsigned which)
{
	int32_t offset;
	memcpy(&offset, pairs->bytes + 8 * (size_t)pair + 4 * which, sizeof offset);
	return pairs->address + (uint64_t)(int64_t)offset;
}

/* The one form that linkers write: version 1, pointer to .eh_frame of 4 bytes, 32-bit count, pairs of 32-bit offsets from
   the table's own address. Another form is as good as none. */
static struct pairs find_pairs(const struct elf_file *file)
{
	struct pairs pairs = {.address = table_address(file)};
	uint64_t size;
	const unsigned char *table = pairs.address ? elf_file_at(file, pairs.address, &size) : 0;
	if (!table || size < 12 || table[0] != 1 || (table[1] & 0x0f) != DW_EH_PE_sdata4 ||
		table[2] != DW_EH_PE_udata4 || table[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
		file->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return pairs;
	memcpy(&pairs.count, table + 8, sizeof pairs.count);
	if (pairs.count > (size - 12) / 8)
		pairs.count = (uint32_t)((size - 12) / 8);
	pairs.bytes = table + 12;
	return pairs;
}

uint64_t *unwind_starts(const struct elf_file *file, uint32_t *count)
{
	struct pairs pairs = find_pairs(file);
	*count = pairs.count;
	if (!pairs.bytes)
		return 0;
	uint64_t *starts = memory_new(pairs.count, sizeof *starts);
	for (uint32_t i = 0; i < pairs.count; i++)
		starts[i] = pair_value(&pairs, i, 0);
	qsort(starts, pairs.count, sizeof *starts, ascending);
	return starts;
}

uint64_t unwind_entry(const struct elf_file *file, uint64_t address)
{
	struct pairs pairs = find_pairs(file);
	uint32_t after = (uint32_t)FIRST_WHERE(i, pairs.count, pair_value(&pairs, i, 0) > address);
	return after ? pair_value(&pairs, after - 1, 1) : 0;
}
