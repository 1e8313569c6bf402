/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading protobuf's wire format: the fields of a message, one after another. */
#ifndef PROTOBUF_READER_H
#define PROTOBUF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protobuf_reader {
	const unsigned char *at, *end;
	bool damaged; /* what follows makes no sense, and nothing more is read */
};
struct protobuf_field {
	uint32_t number;
	bool is_bytes;
	uint64_t value;             /* of a number */
	const unsigned char *bytes; /* of a message, a text, or packed numbers */
	size_t size;
};

static inline struct protobuf_reader protobuf_read(const unsigned char *bytes, size_t size)
{
	return (struct protobuf_reader){bytes, bytes + size, false};
}
/* The next field; false at the end, or where the message is damaged. */
bool protobuf_next(struct protobuf_reader *reader, struct protobuf_field *field);
/* The next of a field's numbers, packed or not: *at is 0 before the first and the place of the next after it. False: there is
   none. */
bool protobuf_next_number(const struct protobuf_field *field, size_t *at, uint64_t *number);

#endif
