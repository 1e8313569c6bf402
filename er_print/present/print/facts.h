/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of facts, a name and a value each: text has a form of its own, and for other print modes they are a table with the
   columns Subject, Name, and Number, Seconds or Text. */
#ifndef FACTS_H
#define FACTS_H

#include "table.h"
#include <stdio.h>

enum fact_column { FACT_SUBJECT, FACT_NAME, FACT_NUMBER, FACT_SECONDS, FACT_TEXT, FACT_COLUMNS };
struct facts {
	struct table table;
	const char *subject;
	char *lines; /* of text, since the last fact */
	size_t lines_size;
	FILE *text; /* writes them: what stands between facts is printed to it, and so is the form of a fact before it is added */
};

void facts_begin(struct facts *facts, const char *title);
/* The thing that the facts from here on are about: an experiment, a sample. Copied. */
void facts_subject(struct facts *facts, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a fact; its form, with what stood before it, is what was printed to `text`. Names and texts are copied, with "?" for control
   characters. */
void fact_number(struct facts *facts, const char *name, uint64_t number);
void fact_seconds(struct facts *facts, const char *name, uint64_t nanoseconds);
void fact_text(struct facts *facts, const char *name, const char *text);
/* A line "*** LABEL: TEXT" whose label and text are a fact: an error, a warning, a note. */
void fact_remark(struct facts *facts, const char *label, const char *text);
/* The table of all of them, whose texts it owns; nothing is added any more. */
struct table facts_end(struct facts *facts);

#endif
