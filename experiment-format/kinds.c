/* SPDX-License-Identifier: Apache-2.0 */
/* The tables kinds.def and tallies.def as data, and the descriptions that files carry, made from them. */
#include "kinds.h"
#include "text.h"

static const struct field_row fields[] = {
#define FIELD(kind, name, unit, title) {KIND_##kind, #name, UNIT_##unit, title},
#include "kinds.def"
};

static const struct state_row states[] = {
#define STATE(kind, field, value, name, title) {KIND_##kind, #field, value, #name, title},
#include "kinds.def"
};

/* One structure per kind with one byte per field: its size is the number of fields, as a constant. */
struct fields_before_the_first_kind {
#define KIND(identifier, name, title)                                                                                  \
	}                                                                                                              \
	;                                                                                                              \
	struct fields_of_##identifier {
#define FIELD(kind, name, unit, title) char name;
#include "kinds.def"
};

#define KIND(identifier, name, title)                                                                                  \
	_Static_assert(sizeof(struct fields_of_##identifier) <= FIELDS_MAX, "too many fields in "                      \
									    "kind " #name);
#include "kinds.def"

static const struct kind_row kinds[] = {
#define KIND(identifier, name, title)                                                                                  \
	{#name, title, &fields[FIELDS_OF_##identifier], sizeof(struct fields_of_##identifier)},
#include "kinds.def"
};

static const char *const unit_names[] = {
	[UNIT_NUMBER] = "number",
	[UNIT_COUNT] = "count",
	[UNIT_NANOSECONDS] = "nanoseconds",
	[UNIT_TICKS] = "ticks",
	[UNIT_BYTES] = "bytes",
	[UNIT_ADDRESS] = "address",
	[UNIT_STATE] = "state",
	[UNIT_STACK] = "stack",
	[UNIT_THREAD] = "thread",
	[UNIT_UNKNOWN] = "unknown",
};

static const struct tally_row tallies[] = {
#define TALLY(identifier, class, text) {#identifier, TALLY_##class, text},
#include "tallies.def"
#undef TALLY
};

static const char *const tally_classes[] = {"fact", "loss", "guess"};

const struct kind_row *kind_row(enum kind kind)
{
	return &kinds[kind];
}

const struct tally_row *tally_row(enum tally tally)
{
	return &tallies[tally];
}

const struct state_row *state_rows(unsigned *count)
{
	*count = sizeof(states) / sizeof(states[0]);
	return states;
}

static bool equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

const char *field_unit_name(enum field_unit unit)
{
	return unit_names[unit];
}

enum field_unit field_unit_of(const char *name)
{
	for (unsigned unit = 0; unit < UNIT_UNKNOWN; unit++)
		if (equal(unit_names[unit], name))
			return unit;
	return UNIT_UNKNOWN;
}

const char *tally_class_name(enum tally_class class)
{
	return tally_classes[class];
}

static void words(struct text *text, const char *first, const char *second, const char *third, const char *rest)
{
	const char *const word[] = {first, second, third, rest};
	for (unsigned i = 0; i < 4; i++) {
		if (!word[i])
			continue;
		if (i)
			text_append(text, " ", 1);
		text_string(text, word[i]);
	}
	text_append(text, "\n", 1);
}

static void state_line(struct text *text, const struct state_row *state)
{
	text_string(text, "state ");
	text_string(text, state->field);
	text_append(text, " ", 1);
	text_number(text, state->value, 10, 1);
	text_append(text, " ", 1);
	words(text, state->name, state->title, 0, 0);
}

size_t kind_describe(enum kind kind, char *bytes, size_t size)
{
	struct text text = {.bytes = bytes, .capacity = size};
	const struct kind_row *row = kind_row(kind);
	words(&text, "events", row->name, row->title, 0);
	for (unsigned i = 0; i < row->field_count; i++)
		words(&text, "field", row->fields[i].name, field_unit_name(row->fields[i].unit), row->fields[i].title);
	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].kind == kind)
			state_line(&text, &states[i]);
	return text.cut ? 0 : text.size;
}

size_t stacks_describe(char *bytes, size_t size)
{
	struct text text = {.bytes = bytes, .capacity = size};
	words(&text, "stacks", "stacks", "Calling contexts", 0);
	return text.cut ? 0 : text.size;
}

size_t tallies_describe(char *bytes, size_t size)
{
	struct text text = {.bytes = bytes, .capacity = size};
	words(&text, "counters", "counters", "What the collector counted about itself", 0);
	for (unsigned i = 0; i < TALLY_COUNT; i++)
		words(&text, "counter", tallies[i].name, tally_classes[tallies[i].class], tallies[i].text);
	return text.cut ? 0 : text.size;
}
