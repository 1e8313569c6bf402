/* SPDX-License-Identifier: Apache-2.0 */
/* Composing text in a buffer of fixed size, without malloc, stdio or any libc call: for settings,
   descriptions and log lines, which the collector writes inside other people's programs. What does not fit is
   left out and `cut` says so. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *bytes;
	size_t size, capacity;
	bool cut;
};

/* All of the bytes or none, so that a cut text has no half words. */
static inline void text_append(struct text *text, const char *bytes, size_t size)
{
	if (text->size + size > text->capacity) {
		text->cut = true;
		return;
	}
	for (size_t i = 0; i < size; i++)
		text->bytes[text->size + i] = bytes[i];
	text->size += size;
}

static inline size_t text_length(const char *string)
{
	size_t length = 0;
	while (string[length])
		length++;
	return length;
}

static inline void text_string(struct text *text, const char *string)
{
	text_append(text, string, text_length(string));
}

/* At least `digits` digits in `base` (2 to 16), zeros in front. */
static inline void text_number(struct text *text, uint64_t value, unsigned base, unsigned digits)
{
	char reversed[64], forward[64];
	unsigned n = 0;
	for (; value || n < digits || n == 0; value /= base)
		reversed[n++] = "0123456789abcdef"[value % base];
	for (unsigned i = 0; i < n; i++)
		forward[i] = reversed[n - 1 - i];
	text_append(text, forward, n);
}

#endif
