/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing a thread's counters. An event is good for one overflow, then off until it is armed again: so never
   more than one signal of a counter waits, and what the handler does is not counted by the counter that overflowed. */
#include "thread_counters.h"
#include "collector.h"
#include "descriptors.h"
#include "our_signal.h"
#include "perf_event.h"
#include "ring.h"
#include "system_calls.h"
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

/* Types of perf events that count nothing of a PMU's own can be in any group. */
static bool goes_anywhere(const struct overflow_counter *counter)
{
	return counter->type == PERF_TYPE_SOFTWARE || counter->type == PERF_TYPE_TRACEPOINT;
}

/* A number that tells PMUs apart. The core's PMU has three types; on hybrids the upper half of the first two's config says which
   core it is. */
static uint64_t pmu_of(const struct overflow_counter *counter)
{
	if (counter->type == PERF_TYPE_HARDWARE || counter->type == PERF_TYPE_HW_CACHE)
		return counter->config >> 32 ? counter->config >> 32 : PERF_TYPE_RAW;
	return counter->type;
}

/* Times of records: one clock for all of a group. */
static void use_clock(struct perf_event_attr *attributes)
{
	attributes->use_clockid = 1;
	attributes->clockid = CLOCK_MONOTONIC;
}

static void describe(struct perf_event_attr *attributes, const struct overflow_counter *wanted)
{
	memset(attributes, 0, sizeof *attributes);
	attributes->size = sizeof *attributes;
	attributes->type = (uint32_t)wanted->type;
	attributes->config = wanted->config;
	attributes->config1 = wanted->config1;
	attributes->config2 = wanted->config2;
	attributes->sample_period = wanted->interval;
	attributes->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attributes->disabled = 1;
	attributes->exclude_user = !(wanted->modes & MODE_USER);
	attributes->exclude_kernel = !(wanted->modes & MODE_KERNEL);
	attributes->exclude_hv = !(wanted->modes & MODE_HYPERVISOR);
	attributes->precise_ip = wanted->precise & 3;
	use_clock(attributes);
	ring_ask(attributes, wanted);
}

static bool open_gate(struct thread_counters *counters)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.config = PERF_COUNT_SW_DUMMY;
	attributes.disabled = 1;
	attributes.exclude_kernel = attributes.exclude_hv = 1;
	use_clock(&attributes);
	int fd = perf_event_open(&attributes, -1);
	if (fd < 0)
		return false;
	int *gate = &counters->gates.descriptor[counters->gates.count];
	*gate = -1;
	*gate = descriptor_take(fd, gate);
	counters->gates.count += *gate >= 0;
	return *gate >= 0;
}

/* The gate of counter `index`: that of an earlier one of the same PMU, else a new one. -1: none. */
static int gate_for(struct thread_counters *counters, const struct overflow_counter *wanted, unsigned index,
	uint64_t pmus[GATES_MAX])
{
	const struct overflow_counter *counter = &wanted[index];
	uint64_t pmu = goes_anywhere(counter) ? 0 : pmu_of(counter);
	for (unsigned g = 0; g < counters->gates.count; g++)
		if (!pmu || !pmus[g] || pmus[g] == pmu) {
			pmus[g] = pmus[g] ? pmus[g] : pmu;
			return counters->gates.descriptor[g];
		}
	if (counters->gates.count == GATES_MAX || !open_gate(counters))
		return -1;
	pmus[counters->gates.count - 1] = pmu;
	return counters->gates.descriptor[counters->gates.count - 1];
}

/* A ring of many pages may be refused where one of fewer is not: the kernel lets a user have so much of them. */
static void map_ring(struct thread_counter *counter)
{
	unsigned least = counter->late ? LATE_RING_PAGES_LEAST : RING_PAGES;
	for (unsigned pages = counter->late ? LATE_RING_PAGES : RING_PAGES; !counter->ring && pages >= least;
		pages /= 2) {
		counter->ring = perf_ring_map(counter->descriptor, pages);
		counter->ring_pages = pages;
	}
	if (!counter->ring)
		count(TALLY_overflows_without_ring, 1);
}

static bool open_counter(struct thread_counter *counter, const struct overflow_counter *wanted, int gate)
{
	struct perf_event_attr attributes;
	describe(&attributes, wanted);
	int fd = perf_event_open(&attributes, gate);
	if (fd < 0)
		return false;
	counter->descriptor = -1;
	counter->descriptor = descriptor_take(fd, &counter->descriptor);
	counter->signal_descriptor = counter->descriptor;
	counter->wanted = wanted;
	counter->interval = wanted->interval;
	counter->late = wanted->delivery == DELIVERY_LATER;
	return counter->descriptor >= 0;
}

static bool let_overflow(struct thread_counter *counter, pid_t tid)
{
	if (counter->late)
		return counter->ring && system_call(SYS_ioctl, counter->descriptor, PERF_EVENT_IOC_ENABLE, 0) == 0;
	return perf_event_signals(counter->descriptor, tid, OUR_SIGNAL) && thread_counter_rearm(counter);
}

static bool open_all(struct thread_counters *counters, const struct overflow_counter *wanted, unsigned count,
	const struct overflow_counter *tick, pid_t tid)
{
	uint64_t pmus[GATES_MAX];
	for (unsigned i = 0; i < count; i++) {
		int gate = gate_for(counters, wanted, i, pmus);
		counters->counter[i].descriptor = counters->counter[i].signal_descriptor = -1;
		counters->count = i + 1;
		if (gate < 0 || !open_counter(&counters->counter[i], &wanted[i], gate))
			return false;
		map_ring(&counters->counter[i]);
		if (!let_overflow(&counters->counter[i], tid))
			return false;
		counters->late_count += counters->counter[i].late;
	}
	return !tick || (open_counter(&counters->tick, tick, -1) && let_overflow(&counters->tick, tid));
}

bool thread_counters_open(struct thread_counters *counters, const struct overflow_counter *wanted, unsigned count,
	const struct overflow_counter *tick, pid_t tid)
{
	memset(counters, 0, offsetof(struct thread_counters, contents));
	counters->tick.descriptor = counters->tick.signal_descriptor = -1;
	if (!open_all(counters, wanted, count, tick, tid)) {
		thread_counters_close(counters);
		return false;
	}
	for (unsigned g = 0; g < counters->gates.count; g++)
		system_call(SYS_ioctl, counters->gates.descriptor[g], PERF_EVENT_IOC_ENABLE, 0);
	return true;
}

void thread_counters_silence(struct thread_counters *counters)
{
	for (unsigned g = 0; g < counters->gates.count; g++) {
		int fd = __atomic_load_n(&counters->gates.descriptor[g], __ATOMIC_ACQUIRE);
		if (fd >= 0)
			system_call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	int fd = __atomic_load_n(&counters->tick.descriptor, __ATOMIC_ACQUIRE);
	if (fd >= 0)
		system_call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void release(int *descriptor)
{
	int fd = __atomic_exchange_n(descriptor, -1, __ATOMIC_ACQ_REL);
	if (descriptor_is_ours(fd))
		descriptor_release(fd);
}

/* A tick may find the thread here, on its way out of munmap: what it looks at is gone before the memory is. */
static void close_counter(struct thread_counter *counter)
{
	perf_ring_unmap(__atomic_exchange_n(&counter->ring, 0, __ATOMIC_SEQ_CST), counter->ring_pages);
	release(&counter->descriptor);
}

void thread_counters_close(struct thread_counters *counters)
{
	thread_counters_silence(counters);
	for (unsigned i = 0; i < counters->count; i++)
		close_counter(&counters->counter[i]);
	close_counter(&counters->tick);
	for (unsigned g = 0; g < counters->gates.count; g++)
		release(&counters->gates.descriptor[g]);
	counters->count = counters->gates.count = counters->late_count = 0;
}

bool thread_counter_rearm(struct thread_counter *counter)
{
	int fd = __atomic_load_n(&counter->descriptor, __ATOMIC_ACQUIRE);
	return fd >= 0 && system_call(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1) == 0;
}

void thread_counter_set_interval(struct thread_counter *counter, uint64_t interval)
{
	int fd = __atomic_load_n(&counter->descriptor, __ATOMIC_ACQUIRE);
	if (fd >= 0 && system_call(SYS_ioctl, fd, PERF_EVENT_IOC_PERIOD, &interval) == 0)
		counter->interval = interval;
}

struct counter_totals thread_counter_read(const struct thread_counter *counter)
{
	struct counter_totals totals = {0, 0, 0};
	int fd = __atomic_load_n(&counter->descriptor, __ATOMIC_ACQUIRE);
	if (fd >= 0)
		sys_read(fd, &totals, sizeof totals);
	return totals;
}
