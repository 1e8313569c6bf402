/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks names up in the tables of words and fields. */
#include "expression_names.h"
#include "nearest.h"

#include <strings.h>

static const struct expression_constant constants[] = {
	{"TRUE", OPERATION_NUMBER, 1},
	{"FALSE", OPERATION_NUMBER, 0},
#define KEYWORD(name, text) {#name, OPERATION_KEYWORD, KEYWORD_##name},
#define STACK_KEYWORD(name, view, elements, text)                                                                      \
	{#name, OPERATION_STACK, STACK_NUMBER(EXPRESSION_##view, EXPRESSION_##elements)},
#include "event_keywords.def"
};
static const struct {
	const char *name, *field;
} field_names[] = {
#define FIELD_KEYWORD(name, field) {#name, #field},
#include "event_keywords.def"
};
static const struct object_test object_tests[] = {
#define OBJECT_TEST(name, of, also, text) {#name, KEYWORD_##of, {#of, #also}},
#include "event_keywords.def"
};
static const struct {
	const char *name, *why;
} absent[] = {
#define ABSENT(name, why) {#name, why},
#include "event_keywords.def"
};
static const unsigned member_keywords[] = {
#define MEMBER_KEYWORD(name) KEYWORD_##name,
#include "event_keywords.def"
};
enum { CONSTANTS = sizeof constants / sizeof *constants, OBJECT_TESTS = sizeof object_tests / sizeof *object_tests };

bool expression_tells_members(const struct expression *expression)
{
	for (size_t k = 0; expression && k < sizeof member_keywords / sizeof *member_keywords; k++)
		if (expression->uses[member_keywords[k]])
			return true;
	return false;
}

const struct expression_constant *expression_constant_find(const char *name)
{
	for (unsigned c = 0; c < CONSTANTS; c++)
		if (!strcasecmp(constants[c].name, name))
			return &constants[c];
	return 0;
}

const struct object_test *object_test_find(const char *name)
{
	for (unsigned t = 0; t < OBJECT_TESTS; t++)
		if (!strcasecmp(object_tests[t].name, name))
			return &object_tests[t];
	return 0;
}

const struct object_test *object_test_of(enum event_keyword of)
{
	for (unsigned t = 0; t < OBJECT_TESTS; t++)
		if (object_tests[t].of == of)
			return &object_tests[t];
	return 0;
}

bool expression_field_find(struct expression_field *field, const char *name)
{
	bool found = false;
	for (unsigned n = 0; n < sizeof field_names / sizeof *field_names; n++)
		if (!strcasecmp(name, field_names[n].name))
			name = field_names[n].field;
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		const struct kind_row *row = kind_row((enum kind)kind);
		field->index[kind] = -1;
		for (unsigned f = 0; f < row->field_count; f++)
			if (!strcasecmp(row->fields[f].name, name))
				field->index[kind] = (int)f;
		found |= field->index[kind] >= 0;
	}
	return found;
}

const char *expression_absent(const char *name)
{
	for (unsigned a = 0; a < sizeof absent / sizeof *absent; a++)
		if (!strcasecmp(absent[a].name, name))
			return absent[a].why;
	return 0;
}

const char *expression_nearest_names(const char *name, char *text, size_t size)
{
	static const char *const tests[] = {"FNAME", "HAS_PROP"};
	struct nearest nearest;
	nearest_begin(&nearest, name);
	for (unsigned c = 0; c < CONSTANTS; c++)
		nearest_offer(&nearest, constants[c].name);
	for (unsigned t = 0; t < sizeof tests / sizeof *tests; t++)
		nearest_offer(&nearest, tests[t]);
	for (unsigned t = 0; t < OBJECT_TESTS; t++)
		nearest_offer(&nearest, object_tests[t].name);
	for (unsigned n = 0; n < sizeof field_names / sizeof *field_names; n++)
		nearest_offer(&nearest, field_names[n].name);
	for (int kind = 0; kind < KIND_COUNT; kind++)
		for (unsigned f = 0; f < kind_row((enum kind)kind)->field_count; f++)
			nearest_offer(&nearest, kind_row((enum kind)kind)->fields[f].name);
	return nearest_text(&nearest, text, size);
}
