/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about what was to be recorded, and how. */
#ifndef HEADER_PARAMETERS_H
#define HEADER_PARAMETERS_H

#include "clock_facts.h"
#include "counter_facts.h"

void header_parameters_add(struct facts *facts, const struct experiment *experiment, const struct clock_facts *clock,
	const struct counter_facts *counters);

#endif
