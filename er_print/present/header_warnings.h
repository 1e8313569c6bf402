/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What went wrong in an experiment, and what its collector counted, as `header` says it. */
#ifndef HEADER_WARNINGS_H
#define HEADER_WARNINGS_H

#include "session.h"
#include <stdio.h>

/* A line "*** ..." for each error and warning; "No errors", "No warnings" where there are none. */
void header_warnings_print(struct session *session, const struct loaded_experiment *loaded, FILE *file);

/* What the collector counted about itself, if it is not zero: losses and guesses first. */
void header_counters_print(const struct counter_value *counters, size_t count, FILE *file);

#endif
