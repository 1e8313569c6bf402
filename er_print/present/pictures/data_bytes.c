/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers bytes. */
#include "data_bytes.h"
#include "storage.h"
#include "xml_character.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void data_byte(struct data_bytes *bytes, unsigned char byte)
{
	memory_reserve(bytes->all, bytes->count, bytes->capacity);
	bytes->all[bytes->count++] = byte;
}

void data_number(struct data_bytes *bytes, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		data_byte(bytes, (unsigned char)(128 | (number & 127)));
	data_byte(bytes, (unsigned char)number);
}

void data_append(struct data_bytes *bytes, const struct data_bytes *other)
{
	for (size_t i = 0; i < other->count; i++)
		data_byte(bytes, other->all[i]);
}

int data_deflate(struct data_bytes *bytes)
{
	uLongf size = compressBound(bytes->count);
	struct data_bytes less = {memory_new(size, 1), 0, size};
	int status = compress2(less.all, &size, bytes->all, bytes->count, 6);
	less.count = size;
	data_free(bytes);
	*bytes = less;
	return status;
}

void data_free(struct data_bytes *bytes)
{
	free(bytes->all);
	*bytes = (struct data_bytes){0};
}

void data_base64(FILE *file, const struct data_bytes *bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < bytes->count; i += 3) {
		size_t left = bytes->count - i;
		unsigned group = (unsigned)bytes->all[i] << 16 | (left > 1 ? (unsigned)bytes->all[i + 1] << 8 : 0) |
				 (left > 2 ? bytes->all[i + 2] : 0u);
		char text[4] = {digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '='};
		fwrite(text, 1, sizeof text, file);
	}
}

static struct data_bytes clean_text(const char *text, size_t length)
{
	struct data_bytes clean = {0};
	for (const unsigned char *next = (const unsigned char *)text, *end = next + length; next < end;) {
		unsigned size = xml_character(next);
		const unsigned char *from = size ? next : (const unsigned char *)"\xef\xbf\xbd";
		for (unsigned i = 0; i < (size ? size : 3); i++)
			data_byte(&clean, from[i]);
		next += size ? size : 1;
	}
	return clean;
}

void data_text(struct data_texts *texts, const char *text, size_t length)
{
	struct data_bytes now = clean_text(text, length), *last = &texts->last;
	size_t shared = 0;
	while (shared < now.count && shared < last->count && now.all[shared] == last->all[shared])
		shared++;
	data_number(&texts->bytes, shared);
	data_number(&texts->bytes, now.count - shared);
	for (size_t i = shared; i < now.count; i++)
		data_byte(&texts->bytes, now.all[i]);
	data_free(last);
	*last = now;
	texts->count++;
}

void data_texts_end(struct data_bytes *bytes, struct data_texts *texts)
{
	data_number(bytes, texts->count);
	data_append(bytes, &texts->bytes);
	data_free(&texts->bytes);
	data_free(&texts->last);
	texts->count = 0;
}
