/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in an SVG file: escaped, and cut to the room that there is. */
#ifndef SVG_TEXT_H
#define SVG_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes the first `size` bytes of a text; U+FFFD stands for what XML cannot hold. */
void svg_text(FILE *file, const char *text, size_t size);
/* Writes them if there is room for so many characters, else their beginning and an ellipsis. */
void svg_text_cut(FILE *file, const char *text, size_t size, size_t room);

#endif
