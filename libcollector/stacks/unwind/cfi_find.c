/* SPDX-License-Identifier: Apache-2.0 */
/* From an address to its entry in .eh_frame: the search table of .eh_frame_hdr, then the entry's two headers. */
#include "cfi.h"
#include "search.h"

#define TABLE_ENCODING 0x3b /* data-relative, signed 4 bytes: what every linker writes */

struct table_row {
	int32_t pc, entry; /* relative to the header */
};

/* The last row whose function starts at or before pc; 0: none. */
static const struct table_row *table_search(const struct table_row *table, uint64_t count, int64_t pc)
{
	uint64_t low = FIRST_WHERE(i, count, table[i].pc > pc);
	return low ? &table[low - 1] : 0;
}

/* Augmentation letters: R encoding of addresses, P personality, L language data, S signal frame, B signed addresses. */
static void read_augmentation(struct cursor *cursor, const unsigned char *letters, struct cfi_entry *entry)
{
	uint64_t size = cursor_uleb128(cursor);
	struct cursor data = *cursor;
	for (letters++; *letters; letters++) {
		if (*letters == 'R')
			entry->pointer_encoding = cursor_byte(&data);
		else if (*letters == 'P')
			cursor_pointer(&data, cursor_byte(&data), 0);
		else if (*letters == 'L')
			cursor_byte(&data);
		else if (*letters == 'S')
			entry->signal_frame = true;
	}
	cursor_skip(cursor, size);
}

/* The header that entries share; *augmented: the entry has augmentation data as well. */
static bool read_common(struct cursor cursor, struct cfi_entry *entry, bool *augmented)
{
	uint64_t size = cursor_unsigned(&cursor, 4);
	if (size < 9 || size > (uint64_t)(cursor.end - cursor.at))
		return false;
	cursor.end = cursor.at + size;
	if (cursor_unsigned(&cursor, 4) != 0)
		return false;
	unsigned char version = cursor_byte(&cursor);
	const unsigned char *letters = cursor.at;
	while (cursor_byte(&cursor))
		;
	if (version == 4)
		cursor_skip(&cursor, 2);
	entry->code_alignment = cursor_uleb128(&cursor);
	entry->data_alignment = cursor_sleb128(&cursor);
	entry->return_column = version == 1 ? cursor_byte(&cursor) : (unsigned)cursor_uleb128(&cursor);
	*augmented = *letters == 'z';
	if (*augmented)
		read_augmentation(&cursor, letters, entry);
	else if (*letters)
		return false;
	entry->initial = cursor;
	return true;
}

bool cfi_find(uint64_t pc, const struct module *module, struct cfi_entry *entry)
{
	const unsigned char *header = module->eh_frame_hdr, *end = (const unsigned char *)module->tables_end;
	bool augmented;
	memset(entry, 0, sizeof *entry);
	if (!header || header[0] != 1 || header[2] != 3 || header[3] != TABLE_ENCODING)
		return false;
	struct cursor cursor = {header + 4, end};
	cursor_pointer(&cursor, header[1], (uint64_t)header);
	uint64_t count = cursor_unsigned(&cursor, 4);
	if (count > (uint64_t)(end - cursor.at) / sizeof(struct table_row))
		return false;
	const struct table_row *row =
		table_search((const struct table_row *)cursor.at, count, (int64_t)(pc - (uint64_t)header));
	if (!row || (uint64_t)(header + row->entry) - module->tables_start >= module->tables_end - module->tables_start)
		return false;
	cursor = (struct cursor){header + row->entry, end};
	uint64_t size = cursor_unsigned(&cursor, 4);
	if (!size || size > (uint64_t)(end - cursor.at)) /* 0xffffffff, 64-bit DWARF, is written by nobody here */
		return false;
	cursor.end = cursor.at + size;
	const unsigned char *common = cursor.at;
	common -= cursor_signed(&cursor, 4);
	if ((uint64_t)common - module->tables_start >= module->tables_end - module->tables_start ||
		!read_common((struct cursor){common, end}, entry, &augmented))
		return false;
	entry->start = cursor_pointer(&cursor, entry->pointer_encoding, 0);
	entry->end = entry->start + cursor_pointer(&cursor, entry->pointer_encoding & 15, 0);
	if (pc < entry->start || pc >= entry->end)
		return false;
	if (augmented)
		cursor_skip(&cursor, cursor_uleb128(&cursor));
	entry->program = cursor;
	return true;
}
