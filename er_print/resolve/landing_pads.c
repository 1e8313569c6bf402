/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an entry of .eh_frame, and the table of call sites that it names. */
#include "landing_pads.h"
#include "storage.h"
#include "symbol_tables.h"
#include <dwarf.h>
#include <string.h>

enum { PADS_MAX = 1 << 16, EXTENDED_LENGTH = 0xfffffff0 };

/* Reads on from an address; what is not there reads as 0, and `failed` says so. */
struct reader {
	const struct elf_file *file;
	const unsigned char *at;
	uint64_t address, left;
	bool failed;
};

static struct reader reader_at(const struct elf_file *file, uint64_t address)
{
	struct reader reader = {.file = file, .address = address};
	reader.at = elf_file_at(file, address, &reader.left);
	reader.failed = !reader.at;
	return reader;
}

/* A number of up to 8 bytes, as its bits. */
static uint64_t read_fixed(struct reader *reader, size_t size)
{
	uint64_t value = 0;
	reader->failed |= reader->left < size;
	if (reader->failed)
		return 0;
	memcpy(&value, reader->at, size);
	reader->at += size;
	reader->address += size;
	reader->left -= size;
	return value;
}

static uint64_t read_leb(struct reader *reader, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;
	do {
		byte = read_fixed(reader, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80);
	return is_signed && shift < 64 && byte & 0x40 ? value | -(UINT64_C(1) << shift) : value;
}

/* A pointer in one of the encodings DW_EH_PE_*; 0 is none, whatever it would be relative to. */
static uint64_t read_pointer(struct reader *reader, unsigned encoding)
{
	uint64_t place = reader->address, value = 0;
	switch (encoding & 0x0f) {
	case DW_EH_PE_uleb128:
		value = read_leb(reader, false);
		break;
	case DW_EH_PE_sleb128:
		value = read_leb(reader, true);
		break;
	case DW_EH_PE_udata2:
		value = read_fixed(reader, 2);
		break;
	case DW_EH_PE_udata4:
		value = read_fixed(reader, 4);
		break;
	case DW_EH_PE_sdata2:
		value = (uint64_t)(int16_t)read_fixed(reader, 2);
		break;
	case DW_EH_PE_sdata4:
		value = (uint64_t)(int32_t)read_fixed(reader, 4);
		break;
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		value = read_fixed(reader, 8);
		break;
	default:
		reader->failed = true;
	}
	unsigned relative = encoding & 0x70;
	reader->failed |= relative && relative != DW_EH_PE_pcrel;
	return value && relative ? place + value : value;
}

/* How the entries of a common information entry hold their pointers. */
struct encodings {
	unsigned code,
		data;   /* of addresses of the code, and of the language-specific data; DW_EH_PE_omit: there is none */
	bool augmented; /* entries have data besides the addresses */
};

static bool read_encodings(const struct elf_file *file, uint64_t address, struct encodings *found)
{
	struct reader reader = reader_at(file, address);
	char letters[8] = "";
	*found = (struct encodings){DW_EH_PE_absptr, DW_EH_PE_omit, false};
	bool is_common = read_fixed(&reader, 4) < EXTENDED_LENGTH && !read_fixed(&reader, 4);
	unsigned version = (unsigned)read_fixed(&reader, 1);
	for (size_t i = 0; i < sizeof letters; i++)
		if (!(letters[i] = (char)read_fixed(&reader, 1)))
			break;
	if (!is_common || (version != 1 && version != 3) || letters[sizeof letters - 1])
		return false;
	read_leb(&reader, false);
	read_leb(&reader, true);
	version == 1 ? read_fixed(&reader, 1) : read_leb(&reader, false);
	found->augmented = letters[0] == 'z';
	if (found->augmented)
		read_leb(&reader, false);
	for (const char *letter = letters + 1; letters[0] && *letter; letter++) {
		unsigned encoding =
			*letter == 'L' || *letter == 'P' || *letter == 'R' ? (unsigned)read_fixed(&reader, 1) : 0;
		if (*letter == 'L')
			found->data = encoding;
		else if (*letter == 'R')
			found->code = encoding;
		else if (*letter == 'P')
			read_pointer(&reader, encoding & ~(unsigned)DW_EH_PE_indirect);
	}
	return found->augmented && !reader.failed;
}

/* The function's first address and its language-specific data, by its entry of .eh_frame; false: it has none. */
static bool read_entry(const struct elf_file *file, uint64_t entry, uint64_t *start, uint64_t *data)
{
	struct reader reader = reader_at(file, entry);
	struct encodings encodings;
	bool is_short = read_fixed(&reader, 4) < EXTENDED_LENGTH;
	uint64_t place = reader.address, back = read_fixed(&reader, 4);
	if (!is_short || !back || !read_encodings(file, place - back, &encodings) || encodings.data == DW_EH_PE_omit ||
		encodings.data & DW_EH_PE_indirect)
		return false;
	*start = read_pointer(&reader, encodings.code);
	read_pointer(&reader, encodings.code & 0x0f);
	read_leb(&reader, false);
	*data = read_pointer(&reader, encodings.data);
	return *data && !reader.failed;
}

static struct landing_pad *read_call_sites(const struct elf_file *file, uint64_t start, uint64_t data, uint32_t *count)
{
	struct landing_pad *pads = 0;
	struct reader reader = reader_at(file, data);
	unsigned encoding = (unsigned)read_fixed(&reader, 1);
	uint64_t base = encoding == DW_EH_PE_omit ? start : read_pointer(&reader, encoding);
	if (read_fixed(&reader, 1) != DW_EH_PE_omit)
		read_leb(&reader, false); /* where the types of exceptions are */
	encoding = (unsigned)read_fixed(&reader, 1);
	uint64_t size = read_leb(&reader, false), end = reader.address + size;
	while (!reader.failed && reader.address < end && *count < PADS_MAX) {
		uint64_t from = start + read_pointer(&reader, encoding);
		uint64_t to = from + read_pointer(&reader, encoding), pad = read_pointer(&reader, encoding);
		read_leb(&reader, false); /* what the pad is for */
		if (reader.failed || !pad)
			continue;
		pads = memory_room(pads, *count, sizeof *pads);
		pads[(*count)++] = (struct landing_pad){from, to, base + pad};
	}
	return pads;
}

struct landing_pad *landing_pads_read(const struct elf_file *file, uint64_t address, uint32_t *count)
{
	uint64_t start, data, entry = unwind_entry(file, address);
	*count = 0;
	return entry && read_entry(file, entry, &start, &data) ? read_call_sites(file, start, data, count) : 0;
}
