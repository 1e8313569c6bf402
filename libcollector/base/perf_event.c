/* SPDX-License-Identifier: Apache-2.0 */
/* Opening perf events. */
#include "perf_event.h"
#include "place.h"
#include "system_calls.h"
#include <fcntl.h>
#include <sys/mman.h>

int perf_event_open(const struct perf_event_attr *attributes, int group)
{
	return (int)system_call(SYS_perf_event_open, attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

bool perf_event_signals(int descriptor, pid_t tid, int signal)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	return system_call(SYS_fcntl, descriptor, F_SETOWN_EX, &owner) == 0 &&
	       system_call(SYS_fcntl, descriptor, F_SETSIG, signal) == 0 &&
	       system_call(SYS_fcntl, descriptor, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

void *perf_ring_map(int descriptor, size_t data_pages)
{
	void *ring = place_map((1 + data_pages) * PERF_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	return sys_failed(ring) ? 0 : ring;
}

void perf_ring_unmap(void *ring, size_t data_pages)
{
	if (ring)
		sys_munmap(ring, (1 + data_pages) * PERF_PAGE);
}
