/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long something ran and what it used, as facts, in text lines whose labels end in one column. */
#ifndef EXECUTION_TEXT_H
#define EXECUTION_TEXT_H

#include "execution.h"
#include "facts.h"

void execution_add_label(struct facts *facts, const char *label, const char *text);
void execution_add_seconds(struct facts *facts, const char *label, uint64_t nanoseconds);
/* Duration, threads, CPU time, and what the samples tell. */
void execution_add(struct facts *facts, const struct execution *execution);

#endif
