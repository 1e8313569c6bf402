/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread switches so often that the record of it would cost more than a twentieth of its CPU time, its calls are timed
   instead, and its clock is its timer, until it has been calm for some time. Both perf events are closed: even disabled ones cost
   at each switch. */
#ifndef THINNING_H
#define THINNING_H

#include "thread.h"

/* At a clock tick, the thread's switches claimed and taken; its CPU time until now. In the handler. */
void thinning_look(struct thread_switches *switches, uint64_t cpu_time);
/* Counts what was left out until now. In the thread itself, at its end. */
void thinning_end(struct thread_switches *switches);

#endif
