/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes and cuts texts. */
#include "svg_text.h"
#include "xml_character.h"

#include <stdint.h>

static void put_character(FILE *file, const unsigned char *text, unsigned size)
{
	const char *escaped = !size          ? "\xef\xbf\xbd"
			      : *text == '<' ? "&lt;"
			      : *text == '>' ? "&gt;"
			      : *text == '&' ? "&amp;"
			      : *text == '"' ? "&quot;"
					     : 0;
	if (escaped)
		fputs(escaped, file);
	else
		fwrite(text, 1, size, file);
}

/* Writes at most `characters` of them. */
static void put_characters(FILE *file, const char *text, size_t size, size_t characters)
{
	const unsigned char *next = (const unsigned char *)text, *end = next + size;
	while (next < end && characters--) {
		unsigned bytes = xml_character(next);
		put_character(file, next, bytes);
		next += bytes ? bytes : 1;
	}
}

void svg_text(FILE *file, const char *text, size_t size)
{
	put_characters(file, text, size, SIZE_MAX);
}

static size_t character_count(const char *text, size_t size)
{
	size_t count = 0;
	const unsigned char *next = (const unsigned char *)text, *end = next + size;
	for (; next < end; count++) {
		unsigned bytes = xml_character(next);
		next += bytes ? bytes : 1;
	}
	return count;
}

void svg_text_cut(FILE *file, const char *text, size_t size, size_t room)
{
	if (character_count(text, size) <= room) {
		svg_text(file, text, size);
		return;
	}
	put_characters(file, text, size, room - 1);
	fputs("\xe2\x80\xa6", file);
}
