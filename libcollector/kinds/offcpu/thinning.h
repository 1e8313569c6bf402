/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread switches so often that the record of it would take more than a twentieth of the time, its calls are timed
   instead, and its clock is its timer, until it has been calm for some time. Both perf events are closed: even disabled ones cost
   at each switch. */
#ifndef THINNING_H
#define THINNING_H

#include "thread.h"

/* When the thread's recording begins. */
void thinning_start(struct thread_switches *switches, uint64_t now);
/* At a clock tick, the thread's switches claimed and taken; now: CLOCK_MONOTONIC. In the handler. */
void thinning_look(struct thread_switches *switches, uint64_t now);
/* Counts what was left out until now. In the thread itself, at its end. */
void thinning_end(struct thread_switches *switches);

#endif
