/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping them: see touched_ring.h. */
#include "touched_ring.h"
#include "collector.h"
#include "perf_event.h"
#include "signal_mask.h"

/* A fault at one of these pages does not end while a signal is pending, as one is at each fault if a counter counts faults: so
   they are touched before, with signals blocked. The first page is written later. */
void ring_touch(void *ring, unsigned pages)
{
	if (!collector.settings.counters[0])
		return;
	struct perf_event_mmap_page *control = ring;
	uint64_t before = kernel_mask(SIG_BLOCK, ALL_SIGNALS);
	__atomic_store_n(&control->data_tail, 0, __ATOMIC_RELEASE);
	for (unsigned page = 1; page <= pages; page++)
		(void)*((volatile const char *)control + page * PERF_PAGE);
	kernel_mask(SIG_SETMASK, before);
}

void *touched_ring_map(int descriptor, unsigned *pages, unsigned least)
{
	void *ring = 0;
	for (unsigned some = *pages; !ring && some >= least; some /= 2) {
		ring = perf_ring_map(descriptor, some);
		*pages = some;
	}
	if (ring)
		ring_touch(ring, *pages);
	return ring;
}
