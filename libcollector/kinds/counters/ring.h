/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a perf record that a counter asks for. */
#ifndef RING_H
#define RING_H

#include "overflow_counter.h"
#include "perf_records.h"

#define RING_PAGES            1u  /* of data: room for one overflow with the deepest kernel stack, and more */
#define LATE_RING_PAGES       32u /* where overflows are read later: for 15 of them */
#define LATE_RING_PAGES_LEAST 4u

/* The parts of a sample that a counter asks for: PERF_SAMPLE_*. */
uint64_t ring_sample_type(const struct overflow_counter *wanted);
/* Sets all attributes of an event that follow from that. */
void ring_ask(struct perf_event_attr *attributes, const struct overflow_counter *wanted);

#endif
