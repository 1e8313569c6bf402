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

enum setting {
#define NUMBER(name, initial, text) SETTING_##name,
#define TEXT(name, size, text)      SETTING_##name,
#include "settings.def"
#undef NUMBER
#undef TEXT
};

/* A value of a setting is SETTING_VALUE(heap, light). */
enum setting_value {
#define NUMBER(name, initial, text)
#define TEXT(name, size, text)
#define CHOICE(setting, value, name, text) VALUE_OF_##setting##_##name = (value),
#include "settings.def"
#undef NUMBER
#undef TEXT
};
#define SETTING_VALUE(setting, name) VALUE_OF_##setting##_##name

enum unwinder {
	UNWINDER_OWN = SETTING_VALUE(unwinder, own),
	UNWINDER_LIBUNWIND = SETTING_VALUE(unwinder, libunwind),
	UNWINDER_BOTH = SETTING_VALUE(unwinder, both)
};
enum time_source {
	TIME_MONOTONIC = SETTING_VALUE(time_source, monotonic),
	TIME_TSC = SETTING_VALUE(time_source, tsc),
	TIME_CNTVCT = SETTING_VALUE(time_source, cntvct)
};

/* A value of a setting that has a name: a row of the table's CHOICE. */
struct setting_choice {
	enum setting setting;
	uint64_t value;
	const char *name, *text; /* as an option takes it; how it is told of, empty if there is no more to tell */
};

/* The first row of that value, or the row of that name. 0: there is none. */
const struct setting_choice *setting_choice(enum setting setting, uint64_t value);
const struct setting_choice *setting_choice_named(enum setting setting, const char *name);

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
	enum setting setting;
	bool on;
	const char *label;          /* in the middle of a sentence */
	const char *comma, *detail; /* of its value, ", " and what there is to tell; or both are empty */
};
enum {
#define NUMBER(name, initial, text)
#define TEXT(name, size, text)
#define TRACING(name, label, text) TRACING_##name,
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
