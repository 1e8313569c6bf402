/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes for the scripts of pictures, gathered and written in base64. A number has as many groups of seven bits as it needs, the
   lowest first, each but the last with the bit 128 (LEB128). */
#ifndef DATA_BYTES_H
#define DATA_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct data_bytes {
	unsigned char *all;
	size_t count, capacity;
};
void data_byte(struct data_bytes *bytes, unsigned char byte);
void data_number(struct data_bytes *bytes, uint64_t number);
void data_append(struct data_bytes *bytes, const struct data_bytes *other);
/* Deflates them, as zlib does. Returns its status, 0: it did. */
int data_deflate(struct data_bytes *bytes);
void data_free(struct data_bytes *bytes);
void data_base64(FILE *file, const struct data_bytes *bytes);

/* Texts one after another: of each how many bytes it has of the one before, how many of its own, and these. */
struct data_texts {
	struct data_bytes bytes, last;
	uint32_t count;
};
/* Adds a text of `length` bytes; U+FFFD stands for what no text of XML can hold. */
void data_text(struct data_texts *texts, const char *text, size_t length);
/* Appends their number and the texts, and frees them. */
void data_texts_end(struct data_bytes *bytes, struct data_texts *texts);

#endif
