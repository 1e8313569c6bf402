/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's figures of the calling thread, before and after: see own_use.h. */
#include "own_use.h"
#include "kinds.h"
#include "system_calls.h"
#include <sys/resource.h>

#ifndef RUSAGE_THREAD
#define RUSAGE_THREAD 1
#endif

static struct own_use of_thread(void)
{
	struct rusage used;
	if (system_call(SYS_getrusage, RUSAGE_THREAD, &used) != 0)
		return (struct own_use){0, 0};
	return (struct own_use){(uint64_t)used.ru_minflt, (uint64_t)used.ru_oublock * RUSAGE_BLOCK};
}

static struct own_use counted(const uint64_t *tallies)
{
	if (!tallies)
		return (struct own_use){0, 0};
	return (struct own_use){__atomic_load_n(&tallies[TALLY_own_faults], __ATOMIC_RELAXED),
		__atomic_load_n(&tallies[TALLY_own_write_bytes], __ATOMIC_RELAXED)};
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static struct own_use since(const struct own_use_span *span, const uint64_t *tallies)
{
	struct own_use now = of_thread(), within = counted(tallies);
	return (struct own_use){
		less(now.faults - span->begun.faults, within.faults - span->counted.faults),
		less(now.write_bytes - span->begun.write_bytes, within.write_bytes - span->counted.write_bytes),
	};
}

struct own_use_span own_use_begin(const uint64_t *tallies)
{
	return (struct own_use_span){of_thread(), counted(tallies)};
}

void own_use_end(const struct own_use_span *span, uint64_t *tallies)
{
	if (!tallies)
		return;
	struct own_use used = since(span, tallies);
	__atomic_fetch_add(&tallies[TALLY_own_faults], used.faults, __ATOMIC_RELAXED);
	__atomic_fetch_add(&tallies[TALLY_own_write_bytes], used.write_bytes, __ATOMIC_RELAXED);
}

struct own_use own_use_total(const uint64_t *tallies, const struct own_use_span *open)
{
	struct own_use total = counted(tallies), pending = {0, 0};
	if (open)
		pending = since(open, tallies);
	return (struct own_use){total.faults + pending.faults, total.write_bytes + pending.write_bytes};
}
