/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One header over all experiments, for a run of many processes. */
#ifndef HEADER_SUMMARY_H
#define HEADER_SUMMARY_H

#include "facts.h"
#include "session.h"

/* How many there are and of which programs, what went wrong by kind with counts, and the sums of what was counted. */
void header_summary_add(struct facts *facts, struct session *session);

#endif
