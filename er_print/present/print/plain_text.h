/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of experiments and object files on a terminal: anybody may have written them, so nothing in them may control it. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include <stdio.h>

/* Writes the text with "?" in place of control characters other than tabs. */
static inline void print_plain(FILE *file, const char *text)
{
	for (; *text; text++)
		putc(((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f ? '?' : *text, file);
}

/* As print_plain(), between two texts of our own, which are a format's: print_between(file, "Host ", name, "\n"). */
static inline void print_between(FILE *file, const char *before, const char *text, const char *after)
{
	fputs(before, file);
	print_plain(file, text ? text : "");
	fputs(after, file);
}

#endif
