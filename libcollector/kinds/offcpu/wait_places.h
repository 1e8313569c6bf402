/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread was each time that it was switched out, as the kernel samples it, where it lets us look at what the thread does in
   it. The caller has claimed the thread's switches. Async-signal-safe. */
#ifndef WAIT_PLACES_H
#define WAIT_PLACES_H

#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* Opens the record of the calling thread. False: refused. */
bool wait_places_open(struct thread *thread);
/* Whether the next sample of an open record is that of a switch out at that time (CLOCK_MONOTONIC). Those before are dropped. */
bool wait_places_find(struct thread *thread, uint64_t out);

#endif
