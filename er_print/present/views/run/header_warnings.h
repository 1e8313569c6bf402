/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about what went wrong in an experiment, and about its collector's counts. */
#ifndef HEADER_WARNINGS_H
#define HEADER_WARNINGS_H

#include "facts.h"
#include "session.h"

/* A line "*** ..." for each error and warning; "No errors", "No warnings" where there are none. */
void header_warnings_add(struct facts *facts, struct session *session, const struct loaded_experiment *loaded);

/* The collector's counts that are not zero: losses and guesses first. */
void header_tallies_add(struct facts *facts, const struct tally_value *tallies, size_t count);

#endif
