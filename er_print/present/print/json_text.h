/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in JSON (RFC 8259). */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdio.h>

/* Writes a text in quotes. Bytes that are no UTF-8 are replaced where all output goes out (clean_output.h). */
void print_json_text(FILE *file, const char *text);

#endif
