/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of perf events that may be read while a signal is pending. */
#ifndef TOUCHED_RING_H
#define TOUCHED_RING_H

/* Maps the event's ring with *pages of data, a power of two, or with as many fewer as the kernel lets us have, but at least with
   `least`; sets *pages. 0: refused. Async-signal-safe. */
void *touched_ring_map(int descriptor, unsigned *pages, unsigned least);
/* A ring that is mapped already is touched. */
void ring_touch(void *ring, unsigned pages);

#endif
