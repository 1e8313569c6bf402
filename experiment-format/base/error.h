/* SPDX-License-Identifier: Apache-2.0 */
/* An error as one text for the user: every function of the tools that can fail fills one of these.
   Not for libcollector, which counts its losses instead (tallies.def). */
#ifndef ERROR_H
#define ERROR_H

#include <stdbool.h>

struct error {
	char text[512]; /* one line: names the file, option or event, and what to do */
};

/* Sets the text as printf does (cut to fit). Returns false, so that failing is `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "CONTEXT: " in front of the text. Returns false. */
bool error_context(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
