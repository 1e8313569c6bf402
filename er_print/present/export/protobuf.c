/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes base-128 numbers and what is made of them. */
#include "protobuf.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

void protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){.bytes = 0};
}

static void put(struct protobuf *message, unsigned char byte)
{
	memory_reserve(message->bytes, message->size, message->capacity);
	message->bytes[message->size++] = byte;
}

/* Seven bits a byte, the lowest first; the eighth says that more come. */
void protobuf_packed(struct protobuf *numbers, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put(numbers, (unsigned char)(number | 0x80));
	put(numbers, (unsigned char)number);
}

static void put_key(struct protobuf *message, unsigned field, unsigned wire)
{
	protobuf_packed(message, (uint64_t)field << 3 | wire);
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t number)
{
	if (!number)
		return;
	put_key(message, field, WIRE_NUMBER);
	protobuf_packed(message, number);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size)
{
	put_key(message, field, WIRE_BYTES);
	protobuf_packed(message, size);
	const unsigned char *from = bytes;
	for (size_t i = 0; i < size; i++)
		put(message, from[i]);
}

void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *part)
{
	protobuf_bytes(message, field, part->bytes, part->size);
}
