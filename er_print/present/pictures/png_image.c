/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the chunks of a PNG file. */
#include "png_image.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHANNELS = 4, DEPTH = 8, TRUECOLOUR_WITH_ALPHA = 6, SUB = 1 };

static void put(struct data_bytes *bytes, const void *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data_byte(bytes, ((const unsigned char *)from)[i]);
}

static void put_number(struct data_bytes *bytes, uint32_t number)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		data_byte(bytes, (unsigned char)(number >> shift));
}

/* Its length, its four letters, what is in it, and the checksum of these. */
static void put_chunk(struct data_bytes *bytes, const char *letters, const void *from, size_t count)
{
	put_number(bytes, (uint32_t)count);
	size_t begin = bytes->count;
	put(bytes, letters, 4);
	put(bytes, from, count);
	put_number(bytes, (uint32_t)crc32(0, bytes->all + begin, (uInt)(bytes->count - begin)));
}

/* Each line as its filter, and the difference of each pixel from the one to its left. */
static unsigned char *filtered(const unsigned char *pixels, uint32_t width, uint32_t height, size_t *count)
{
	size_t line = (size_t)width * CHANNELS;
	unsigned char *all = memory_new(height, line + 1), *next = all;
	for (uint32_t y = 0; y < height; y++, pixels += line) {
		*next++ = SUB;
		for (size_t i = 0; i < line; i++)
			*next++ = (unsigned char)(pixels[i] - (i < CHANNELS ? 0 : pixels[i - CHANNELS]));
	}
	*count = height * (line + 1);
	return all;
}

void png_image(struct data_bytes *bytes, const unsigned char *pixels, uint32_t width, uint32_t height)
{
	static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	struct data_bytes head = {0};
	put(bytes, signature, sizeof signature);
	put_number(&head, width);
	put_number(&head, height);
	put(&head, (unsigned char[]){DEPTH, TRUECOLOUR_WITH_ALPHA, 0, 0, 0}, 5);
	put_chunk(bytes, "IHDR", head.all, head.count);
	data_free(&head);
	size_t count;
	unsigned char *lines = filtered(pixels, width, height, &count);
	uLongf size = compressBound(count);
	unsigned char *packed = memory_new(size, 1);
	/* The room is enough by compressBound(), so this can only fail without memory: then the image has no lines. */
	if (compress2(packed, &size, lines, count, Z_DEFAULT_COMPRESSION) == Z_OK)
		put_chunk(bytes, "IDAT", packed, size);
	put_chunk(bytes, "IEND", 0, 0);
	free(packed);
	free(lines);
}
