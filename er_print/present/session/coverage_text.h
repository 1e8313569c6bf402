/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a run that were not recorded, in words: for the line under each report, and for the warnings of `header`. */
#ifndef COVERAGE_TEXT_H
#define COVERAGE_TEXT_H

#include "coverage.h"

/* "Recorded X of Y CPU seconds; not recorded: ...; events lost: ..."; 0 if nothing is missing. The caller frees it. */
char *coverage_line(const struct coverage *coverage);
/* "not recorded: ./prog (process 12), a statically linked program: 0.192 CPU seconds". The caller frees it. */
char *coverage_warning(const struct missing *missing);

#endif
