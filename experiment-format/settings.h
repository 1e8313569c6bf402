/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of an experiment (settings.def) and their text form. No malloc, no stdio: the collector reads
 * them too. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct settings {
#define NUMBER(name, initial, text) uint64_t name;
#define TEXT(name, size, text)      char name[size];
#include "settings.def"
#undef NUMBER
#undef TEXT
};

/* The setting `unwinder`. */
enum unwinder { UNWINDER_OWN, UNWINDER_LIBUNWIND, UNWINDER_BOTH };

#define SETTINGS_TEXT_MAX 24576 /* enough for every setting at its longest */

/* Gives every setting its default. */
void settings_default(struct settings *settings);

/* Reads NAME=VALUE lines of `size` bytes; names it does not know are skipped (a newer collect wrote them).
   False if a known value is malformed; *line is then the number of the line. Async-signal-safe. */
bool settings_decode(struct settings *settings, const char *text, size_t size, unsigned *line);

/* Writes all settings as text. Returns the bytes written, 0 if they do not fit. Async-signal-safe. */
size_t settings_encode(const struct settings *settings, char *text, size_t size);

/* A kind of tracing that a setting turns on: a row of the table's TRACING. */
struct tracing {
	const uint64_t *setting;    /* points into the settings; 0: off */
	const char *label, *second; /* in the middle of a sentence; what the value 2 adds, empty if nothing */
};
enum {
#define NUMBER(name, initial, text)
#define TEXT(name, size, text)
#define TRACING(name, label, second, text) TRACING_##name,
#include "settings.def"
#undef NUMBER
#undef TEXT
	TRACINGS
};

/* Every kind of tracing, in the table's order, whether on or off. */
void settings_tracings(const struct settings *settings, struct tracing tracings[TRACINGS]);

/* Calls `visit` for each setting in the table's order: with its text, or with text 0 and its number. */
void settings_visit(const struct settings *settings,
	void (*visit)(void *context, const char *name, uint64_t number, const char *text), void *context);

#endif
