/* SPDX-License-Identifier: Apache-2.0 */
/* Time: the raw clock that events carry, and the three clocks at once. */
#include "collector.h"
#include "machine.h"
#include "system_calls.h"
#include <linux/prctl.h>
#include <time.h>

static uint64_t nanoseconds_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A thread may forbid itself to read the counter: the kernel then raises SIGSEGV, also in the vdso. Raw time goes on at the
   rate that the counter had until the first that did so. */
static bool forbidden;                        /* atomic: in some thread, perhaps no longer */
static struct time_triple base;               /* of that moment */
static uint64_t base_ticks, base_nanoseconds; /* that had passed by then */

static uint64_t by_kernel(clockid_t clock)
{
	struct timespec now = {0, 0};
	system_call(SYS_clock_gettime, clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool is_forbidden_here(void)
{
	int mode = PR_TSC_ENABLE;
	return system_call(SYS_prctl, PR_GET_TSC, &mode) == 0 && mode != PR_TSC_ENABLE;
}

static uint64_t raw_from(uint64_t monotonic)
{
	if (collector.settings.time_source == TIME_MONOTONIC)
		return monotonic;
	__extension__ typedef unsigned __int128 wide;
	uint64_t passed = monotonic > base.monotonic ? monotonic - base.monotonic : 0;
	return base.raw + (uint64_t)((wide)passed * base_ticks / base_nanoseconds);
}

void time_forbid_counter(void)
{
	enum { LEAST = 1000000 }; /* ns: the rate is right to a millionth then */
	static bool begun;        /* atomic */
	if (!collector_recording())
		return;
	if (__atomic_exchange_n(&begun, true, __ATOMIC_ACQ_REL)) {
		while (!__atomic_load_n(&forbidden, __ATOMIC_ACQUIRE)) /* another thread is at it */
			;
		return;
	}
	do
		time_now(&base);
	while (base.monotonic - collector.start.monotonic < LEAST);
	base_ticks = base.raw - collector.start.raw;
	base_nanoseconds = base.monotonic - collector.start.monotonic;
	__atomic_store_n(&forbidden, true, __ATOMIC_RELEASE);
}

static inline bool may_not_read(void)
{
	return __builtin_expect(__atomic_load_n(&forbidden, __ATOMIC_ACQUIRE), 0) && is_forbidden_here();
}

__attribute__((hot)) uint64_t time_raw(void)
{
	if (may_not_read())
		return raw_from(by_kernel(CLOCK_MONOTONIC));
	return collector.settings.time_source == TIME_MONOTONIC ? nanoseconds_of(CLOCK_MONOTONIC) : cycle_counter();
}

void time_now(struct time_triple *now)
{
	if (may_not_read()) {
		now->monotonic = by_kernel(CLOCK_MONOTONIC);
		now->raw = raw_from(now->monotonic);
		now->realtime = by_kernel(CLOCK_REALTIME);
		return;
	}
	if (collector.settings.time_source == TIME_MONOTONIC) {
		now->monotonic = now->raw = nanoseconds_of(CLOCK_MONOTONIC);
	} else {
		/* The middle of two readings is nearest to what the monotonic clock said between them. */
		uint64_t before = cycle_counter();
		now->monotonic = nanoseconds_of(CLOCK_MONOTONIC);
		now->raw = before + (cycle_counter() - before) / 2;
	}
	now->realtime = nanoseconds_of(CLOCK_REALTIME);
}

uint64_t time_nanoseconds_of(uint64_t raw, const struct time_triple *now)
{
	const struct time_triple *start = &collector.start;
	uint64_t whole = now->raw - start->raw;
	return whole ? (uint64_t)((unsigned __int128)raw * (now->monotonic - start->monotonic) / whole) : 0;
}

uint64_t time_raw_at(uint64_t monotonic, const struct time_triple *now)
{
	const struct time_triple *start = &collector.start;
	uint64_t since = monotonic - start->monotonic, whole = now->monotonic - start->monotonic;
	if (!whole || since > whole)
		return now->raw;
	return start->raw + (uint64_t)((unsigned __int128)since * (now->raw - start->raw) / whole);
}

uint64_t time_raw_of(uint64_t nanoseconds, const struct time_triple *now)
{
	enum { PASSED_LEAST = 1000000 };
	const struct time_triple *start = &collector.start;
	if (now->monotonic - start->monotonic < PASSED_LEAST)
		return 0;
	return time_raw_at(start->monotonic + nanoseconds, now) - start->raw;
}
