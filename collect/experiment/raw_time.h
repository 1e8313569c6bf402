/* SPDX-License-Identifier: Apache-2.0 */
/* The time source that an experiment's events will carry, decided once for the founder and all its descendants. */
#ifndef RAW_TIME_H
#define RAW_TIME_H

#include "layout.h"
#include "settings.h"
#include <stdbool.h>
#include <stdint.h>

/* The processor's counter if the kernel itself keeps time by it and it is constant and never stops, else
   CLOCK_MONOTONIC. */
enum time_source time_source_choose(void);

/* Whether CLOCK_MONOTONIC is the processor's constant counter, scaled by the host of this virtual machine: settings.def,
   time_between. */
bool time_counter_between(void);

/* The three clocks at (nearly) one moment. */
void raw_time_triple(enum time_source source, struct time_triple *now);

#endif
