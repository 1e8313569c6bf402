/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in the wire format of protocol buffers: fields of whole numbers, texts and messages, one after another (the encoding
   that protobuf's own documentation specifies). */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialised is an empty message. */
struct protobuf {
	unsigned char *bytes;
	size_t size, capacity;
};
/* Makes it an empty message again, which keeps its memory. */
static inline void protobuf_clear(struct protobuf *message)
{
	message->size = 0;
}
void protobuf_free(struct protobuf *message);

/* A field of type int64, uint64 or bool; 0 is not written, as it is the default. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t number);
/* One more number of a packed repeated field, in a message that holds those alone. */
void protobuf_packed(struct protobuf *numbers, uint64_t number);
/* A field of bytes: a text, a message, packed numbers. */
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size);
void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *part);

#endif
