/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks from a perf cpu-clock event of the thread: finer than the timer, and its ring says whether a tick hit the kernel.
   The event is good for one tick, then disabled until it is armed again: so never more than one signal waits. */
#include "collector.h"
#include "descriptors.h"
#include "our_signal.h"
#include "perf_event.h"
#include "second_timer.h"
#include "source.h"
#include "system_calls.h"
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

/* Opens the event, of user mode alone if the kernel's may not be seen. Returns the descriptor or -errno. */
static int open_event(uint64_t first, bool *sees_kernel)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof(attributes));
	attributes.size = sizeof(attributes);
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.config = PERF_COUNT_SW_CPU_CLOCK;
	attributes.sample_period = first;
	attributes.sample_type = PERF_SAMPLE_IP;
	attributes.disabled = 1;
	attributes.exclude_hv = 1;
	int fd = perf_event_open(&attributes, -1);
	*sees_kernel = true;
	if (fd == -EACCES || fd == -EPERM) {
		attributes.exclude_kernel = 1;
		*sees_kernel = false;
		fd = perf_event_open(&attributes, -1);
	}
	return fd;
}

static void map_ring(struct thread_clock *clock, bool sees_kernel)
{
	if (!sees_kernel)
		return;
	clock->ring = perf_ring_map(clock->descriptor, 1);
	if (!clock->ring)
		count(TALLY_perf_refused_ring, 1);
}

bool perf_begin(struct thread_clock *clock, pid_t tid, uint64_t first, uint64_t interval)
{
	bool sees_kernel;
	int fd = open_event(first, &sees_kernel);
	if (fd < 0) {
		bool descriptors = fd == -EMFILE || fd == -ENFILE;
		count(descriptors ? TALLY_perf_refused_descriptors : TALLY_perf_refused_permission, 1);
		return false;
	}
	clock->descriptor = descriptor_take(fd, &clock->descriptor);
	if (clock->descriptor < 0) {
		count(TALLY_perf_refused_descriptors, 1);
		return false;
	}
	clock->signal_descriptor = clock->descriptor;
	clock->first = first != interval;
	map_ring(clock, sees_kernel);
	if (!perf_event_signals(clock->descriptor, tid, OUR_SIGNAL) ||
		system_call(SYS_ioctl, clock->descriptor, PERF_EVENT_IOC_REFRESH, 1) < 0) {
		count(TALLY_perf_refused_permission, 1);
		perf_end(clock);
		return false;
	}
	if (!sees_kernel)
		second_timer_begin(clock, tid, first);
	return true;
}

void perf_silence(struct thread_clock *clock)
{
	int fd = __atomic_load_n(&clock->descriptor, __ATOMIC_ACQUIRE);
	if (fd >= 0)
		system_call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
}

void perf_end(struct thread_clock *clock)
{
	perf_silence(clock);
	perf_ring_unmap(clock->ring, 1);
	clock->ring = 0;
	int fd = __atomic_exchange_n(&clock->descriptor, -1, __ATOMIC_ACQ_REL);
	if (descriptor_is_ours(fd))
		descriptor_release(fd);
}

__attribute__((hot)) bool perf_rearm(struct thread_clock *clock, uint64_t interval)
{
	int fd = __atomic_load_n(&clock->descriptor, __ATOMIC_ACQUIRE);
	if (clock->first) {
		if (system_call(SYS_ioctl, fd, PERF_EVENT_IOC_PERIOD, &interval) < 0)
			return false;
		clock->first = false;
	}
	return system_call(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1) == 0;
}

__attribute__((hot)) enum tick_mode perf_take_mode(struct thread_clock *clock)
{
	struct perf_event_mmap_page *control = clock->ring;
	if (!control)
		return TICK_UNKNOWN;
	const char *data = (const char *)control + PERF_PAGE;
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	enum tick_mode mode = TICK_UNKNOWN;
	for (uint64_t at = control->data_tail; at < head;) {
		/* Records are of 8-byte units and the ring's size is a multiple of them, so no header is torn. */
		struct perf_event_header record;
		memcpy(&record, data + (at & (PERF_PAGE - 1)), sizeof(record));
		if (record.size < sizeof(record))
			break;
		if (record.type == PERF_RECORD_SAMPLE) {
			unsigned cpu_mode = record.misc & PERF_RECORD_MISC_CPUMODE_MASK;
			mode = cpu_mode == PERF_RECORD_MISC_USER ? TICK_USER : TICK_KERNEL;
		}
		at += record.size;
	}
	__atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
	return mode;
}
