/* SPDX-License-Identifier: Apache-2.0 */
/* Opening counters for a moment, in `collect` itself, to see what the kernel says of them. */
#ifndef COUNTER_PROBE_H
#define COUNTER_PROBE_H

#include "error.h"
#include "overflow_counter.h"
#include <stdbool.h>

/* Whether this machine has a performance monitoring unit that the kernel lets programs use. */
bool counter_probe_has_pmu(void);

/* Opens each, then all together; fills in the precise level that was obtained. False and *error: what cannot be had, and
   what to do about it. */
bool counter_probe(struct overflow_counter *counters, unsigned count, struct error *error);

#endif
