/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that expressions know, of event_keywords.def and of the kinds' fields, in any case; for expression_*.c only. */
#ifndef EXPRESSION_NAMES_H
#define EXPRESSION_NAMES_H

#include "expression_nodes.h"

/* A name that stands for a number of the event, its call stack or a constant: the node that it is. */
struct expression_constant {
	const char *name;
	enum operation operation;
	int64_t number;
};
/* A test of the name of what the event is about. */
struct object_test {
	const char *name;
	enum event_keyword of;
	const char *beside[2]; /* the words that may stand beside IN */
};
/* 0 if the name is none. */
const struct expression_constant *expression_constant_find(const char *name);
const struct object_test *object_test_find(const char *name);
/* The test of these objects. */
const struct object_test *object_test_of(enum event_keyword of);
/* The places of a declared field in the kinds' events. False if no kind has it. */
bool expression_field_find(struct expression_field *field, const char *name);
/* Why a word of the language has no meaning here; 0: it is no such word. */
const char *expression_absent(const char *name);
/* Names like an unknown one, as nearest_text() writes them. Returns `text`. */
const char *expression_nearest_names(const char *name, char *text, size_t size);

#endif
