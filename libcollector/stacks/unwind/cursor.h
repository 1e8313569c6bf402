/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the numbers of DWARF from bytes with a known end: beyond it everything is 0, so a damaged table ends a walk and
   never leaves the mapping. */
#ifndef CURSOR_H
#define CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at, *end;
};

static inline bool cursor_more(const struct cursor *cursor)
{
	return cursor->at < cursor->end;
}
static inline unsigned char cursor_byte(struct cursor *cursor)
{
	return cursor_more(cursor) ? *cursor->at++ : 0;
}
static inline void cursor_skip(struct cursor *cursor, uint64_t size)
{
	uint64_t left = cursor->end - cursor->at;
	cursor->at += size < left ? size : left;
}
/* size: 1, 2, 4 or 8 */
static inline uint64_t cursor_unsigned(struct cursor *cursor, unsigned size)
{
	uint64_t value = 0;
	if ((uint64_t)(cursor->end - cursor->at) < size) {
		cursor->at = cursor->end;
		return 0;
	}
	memcpy(&value, cursor->at, size); /* both architectures are little-endian */
	cursor->at += size;
	return value;
}
static inline int64_t cursor_signed(struct cursor *cursor, unsigned size)
{
	unsigned unused = 64 - 8 * size;
	return (int64_t)(cursor_unsigned(cursor, size) << unused) >> unused;
}
/* The bits of a LEB128 number; *bits is how many were given, *last its last byte. */
static inline uint64_t cursor_leb128(struct cursor *cursor, unsigned *bits, unsigned char *last)
{
	uint64_t value = 0;
	*bits = 0;
	do {
		*last = cursor_byte(cursor);
		if (*bits < 64)
			value |= (uint64_t)(*last & 127) << *bits;
		*bits += 7;
	} while (*last & 128);
	return value;
}
static inline uint64_t cursor_uleb128(struct cursor *cursor)
{
	unsigned bits;
	unsigned char last;
	return cursor_leb128(cursor, &bits, &last);
}
static inline int64_t cursor_sleb128(struct cursor *cursor)
{
	unsigned bits;
	unsigned char last;
	uint64_t value = cursor_leb128(cursor, &bits, &last);
	if (bits < 64 && last & 64)
		value |= ~0ull << bits;
	return (int64_t)value;
}

/* A pointer in one of .eh_frame's encodings (DW_EH_PE_*); data: the address that data-relative ones count from. */
static inline uint64_t cursor_pointer(struct cursor *cursor, unsigned encoding, uint64_t data)
{
	uint64_t at = (uint64_t)cursor->at, value;
	switch (encoding & 15) {
	case 1:
		value = cursor_uleb128(cursor);
		break;
	case 9:
		value = (uint64_t)cursor_sleb128(cursor);
		break;
	case 2:
		value = cursor_unsigned(cursor, 2);
		break;
	case 10:
		value = (uint64_t)cursor_signed(cursor, 2);
		break;
	case 3:
		value = cursor_unsigned(cursor, 4);
		break;
	case 11:
		value = (uint64_t)cursor_signed(cursor, 4);
		break;
	default:
		value = cursor_unsigned(cursor, 8);
		break;
	}
	if ((encoding & 0x70) == 0x10)
		value += at;
	else if ((encoding & 0x70) == 0x30)
		value += data;
	return value;
}

#endif
