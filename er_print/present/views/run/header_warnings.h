/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about what went wrong in an experiment, and about its collector's counts. */
#ifndef HEADER_WARNINGS_H
#define HEADER_WARNINGS_H

#include "session.h"
#include <stdio.h>

/* A line "*** ..." for each error and warning; "No errors", "No warnings" where there are none. */
void header_warnings_print(struct session *session, const struct loaded_experiment *loaded, FILE *file);

/* The collector's counts that are not zero: losses and guesses first. */
void header_tallies_print(const struct tally_value *tallies, size_t count, FILE *file);

#endif
