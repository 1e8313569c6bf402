/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long something ran and what it used, as lines whose labels end in one column. */
#ifndef EXECUTION_TEXT_H
#define EXECUTION_TEXT_H

#include "execution.h"
#include <stdio.h>

void execution_print_label(FILE *file, const char *label, const char *text);
/* Nanoseconds, printed as seconds. */
void execution_print_seconds(FILE *file, const char *label, uint64_t nanoseconds);
/* Duration, threads, CPU time, and what the samples tell. */
void execution_print(FILE *file, const struct execution *execution);

#endif
