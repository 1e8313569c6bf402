/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the clock and the cycle counter together, and how fast the one is of the other. */
#include "counted_time.h"
#include "collector.h"

#define BETWEEN      20000u      /* nanoseconds that the counter is believed after a reading */
#define RATE_AFTER   200000u     /* nanoseconds of which the rate is known well enough for that */
#define RATE_FROM    1000000000u /* and after which it is measured anew: 2^32 times as much is a number */
#define SURE_CYCLES  300u        /* two readings of the counter that are farther apart were interrupted */
#define RATE_SHIFT   32
#define RATE_DIFFERS 64u /* by this part: it is no constant counter, or was moved */

static void begin_count(struct counted_time *counted, uint64_t cycles, uint64_t time, uint32_t cpu)
{
	counted->rate = 0;
	counted->first_cycles = cycles;
	counted->first_time = time;
	counted->cpu = cpu;
}

/* False if the counter is not to be believed. */
static bool measure_rate(struct counted_time *counted, uint64_t cycles, uint64_t time)
{
	uint64_t passed = time - counted->first_time, counted_cycles = cycles - counted->first_cycles;
	if (passed < RATE_AFTER)
		return true;
	if (passed > 2 * (uint64_t)RATE_FROM || counted_cycles == 0)
		return false;
	uint64_t rate = (passed << RATE_SHIFT) / counted_cycles, before = counted->rate;
	uint64_t differs = rate > before ? rate - before : before - rate;
	if (before && differs > before / RATE_DIFFERS)
		return false;
	counted->rate = rate;
	if (passed > RATE_FROM) {
		counted->first_cycles = cycles;
		counted->first_time = time;
	}
	return rate != 0;
}

uint64_t counted_time_read(struct counted_time *counted, uint32_t cpu)
{
	uint64_t before = cycle_counter(), time = time_raw(), after = cycle_counter();
	uint64_t cycles = before + (after - before) / 2;
	counted->limit = 0;
	if (after - before > SURE_CYCLES)
		return time;
	if (cpu != counted->cpu || !measure_rate(counted, cycles, time)) {
		begin_count(counted, cycles, time, cpu);
		return time;
	}
	counted->cycles = cycles;
	counted->time = time;
	if (counted->rate)
		counted->limit = ((uint64_t)BETWEEN << RATE_SHIFT) / counted->rate;
	return time;
}
