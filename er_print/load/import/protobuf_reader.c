/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wire format as protobuf's documentation, "Encoding", has it. */
#include "protobuf_reader.h"

enum { WIRE_VARINT, WIRE_64_BITS, WIRE_BYTES, WIRE_32_BITS = 5 };

static bool read_number(struct protobuf_reader *reader, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
		unsigned char byte = *reader->at++;
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	reader->damaged = true;
	return false;
}

static bool read_fixed(struct protobuf_reader *reader, unsigned size, uint64_t *number)
{
	reader->damaged = (size_t)(reader->end - reader->at) < size;
	*number = 0;
	for (unsigned i = 0; !reader->damaged && i < size; i++)
		*number |= (uint64_t)*reader->at++ << 8 * i;
	return !reader->damaged;
}

static bool read_bytes(struct protobuf_reader *reader, struct protobuf_field *field)
{
	uint64_t size;
	if (!read_number(reader, &size))
		return false;
	reader->damaged = size > (uint64_t)(reader->end - reader->at);
	field->is_bytes = true;
	field->bytes = reader->at;
	field->size = reader->damaged ? 0 : (size_t)size;
	reader->at += field->size;
	return !reader->damaged;
}

bool protobuf_next(struct protobuf_reader *reader, struct protobuf_field *field)
{
	uint64_t tag;
	*field = (struct protobuf_field){0};
	if (reader->damaged || reader->at == reader->end || !read_number(reader, &tag))
		return false;
	field->number = (uint32_t)(tag >> 3);
	switch (tag & 7) {
	case WIRE_VARINT:
		return read_number(reader, &field->value);
	case WIRE_64_BITS:
		return read_fixed(reader, 8, &field->value);
	case WIRE_BYTES:
		return read_bytes(reader, field);
	case WIRE_32_BITS:
		return read_fixed(reader, 4, &field->value);
	default:
		reader->damaged = true;
		return false;
	}
}

bool protobuf_next_number(const struct protobuf_field *field, size_t *at, uint64_t *number)
{
	if (!field->is_bytes) {
		*number = field->value;
		return !(*at)++;
	}
	struct protobuf_reader reader = protobuf_read(field->bytes + *at, field->size - *at);
	if (reader.at == reader.end || !read_number(&reader, number))
		return false;
	*at = (size_t)(reader.at - field->bytes);
	return true;
}
