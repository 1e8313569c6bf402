/* SPDX-License-Identifier: Apache-2.0 */
/* The tables kinds.def and tallies.def as C. No malloc, no stdio: the collector uses them too. */
#ifndef KINDS_H
#define KINDS_H

#include <stddef.h>
#include <stdint.h>

enum kind {
#define KIND(identifier, name, title) KIND_##identifier,
#include "kinds.def"
	KIND_COUNT
};

enum field_unit {
	UNIT_NUMBER,
	UNIT_COUNT,
	UNIT_NANOSECONDS,
	UNIT_TICKS, /* raw time (settings: time_source) */
	UNIT_BYTES,
	UNIT_ADDRESS,
	UNIT_STATE, /* one of the states listed */
	UNIT_STACK, /* a second stack */
	UNIT_THREAD,
	UNIT_UNKNOWN, /* read from a file that names another unit */
};

/* A field's place in its kind's events is FIELD_INDEX(CLOCK, user), a constant. */
enum field_position {
#define KIND(identifier, name, title)  FIELDS_OF_##identifier, FIELDS_FROM_##identifier = FIELDS_OF_##identifier - 1,
#define FIELD(kind, name, unit, title) FIELD_OF_##kind##_##name,
#include "kinds.def"
	FIELDS_ALL
};
#define FIELD_INDEX(kind, name) (FIELD_OF_##kind##_##name - FIELDS_OF_##kind)
#define FIELDS_MAX              16u /* of one kind */

/* A value of a field whose unit is STATE is STATE_VALUE(HEAP, what, malloc). */
enum state_value {
#define STATE(kind, field, value, name, title) STATE_OF_##kind##_##field##_##name = (value),
#include "kinds.def"
};
#define STATE_VALUE(kind, field, name) STATE_OF_##kind##_##field##_##name

struct field_row {
	enum kind kind;
	const char *name;
	enum field_unit unit;
	const char *title;
};
struct state_row {
	enum kind kind;
	const char *field;
	uint64_t value;
	const char *name, *title;
};
struct kind_row {
	const char *name, *title;
	const struct field_row *fields;
	unsigned field_count;
};

/* The row of a kind; static storage. */
const struct kind_row *kind_row(enum kind kind);
/* All rows of STATE, of every kind. */
const struct state_row *state_rows(unsigned *count);
/* "nanoseconds" etc. as in descriptions, and back (UNIT_UNKNOWN if it is none of ours). */
const char *field_unit_name(enum field_unit unit);
enum field_unit field_unit_of(const char *name);

/* Writes the description (FORMAT.md, "Descriptions") of a kind's event file. Returns its size, 0 if it does
 * not fit. */
size_t kind_describe(enum kind kind, char *text, size_t size);
size_t stacks_describe(char *text, size_t size);
size_t tallies_describe(char *text, size_t size);

enum tally {
#define TALLY(identifier, class, text) TALLY_##identifier,
#include "tallies.def"
#undef TALLY
	TALLY_COUNT
};
enum tally_class { TALLY_FACT, TALLY_LOSS, TALLY_GUESS };
struct tally_row {
	const char *name;
	enum tally_class class;
	const char *text;
};
const struct tally_row *tally_row(enum tally tally);
/* "fact", "loss" or "guess", as in descriptions. */
const char *tally_class_name(enum tally_class class);

#endif
