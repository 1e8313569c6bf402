/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes what JSON does not take as it is. */
#include "json_text.h"

void print_json_text(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++)
		switch (*text) {
		case '"':
		case '\\':
			fprintf(file, "\\%c", *text);
			break;
		case '\n':
			fputs("\\n", file);
			break;
		case '\t':
			fputs("\\t", file);
			break;
		default:
			/* Bytes that are no UTF-8 are replaced where all output goes out. */
			putc((unsigned char)*text < ' ' ? '?' : *text, file);
		}
	putc('"', file);
}
