#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# A new kind of data is rows of two tables, and a function where one event cannot tell: in a copy of the tree, an interval
# kind (lock waits), a pair metric (leaks: allocations that were not freed) and a ratio are added by rows, er_print is built,
# and every report has them with the numbers that a synthetic experiment was given.
set -eu
root=$(cd "$TESTS/.." && pwd)
mkdir copy
(cd "$root" && tests/house/sources '^(er_print|experiment-format|man|tests/synthetic|Makefile|tests/tests.mk)' | tar -cf - -T -) | tar -xf - -C copy
rows='KIND(LOCK, lock, "Lock Waits")
FIELD(LOCK, duration, NANOSECONDS, "time until the lock was ours")
KIND(POOL, pool, "Pool Tracing")
FIELD(POOL, address, ADDRESS, "of the memory")
FIELD(POOL, bytes, BYTES, "allocated; 0: freed")'
awk -v rows="$rows" '/^#undef KIND/ {print rows} {print}' "$root/experiment-format/kinds.def" >copy/experiment-format/kinds.def
rows='METRIC(lockwait, LOCK, VALUE(LOCK, duration), NANOSECONDS, "Lock Wait Time", "ei.%")
METRIC(lockwaits, LOCK, 1, COUNT, "Lock Wait Count", "i+")
PASS(leakbytes, POOL, leaked_bytes, BYTES, "Bytes Leaked", "i+%")
RATIO(meanwait, lockwait, lockwaits, "Mean Sync Wait Nanoseconds", "i+")'
awk -v rows="$rows" '/^#undef METRIC/ {print rows} {print}' "$root/er_print/aggregate/metrics.def" >copy/er_print/aggregate/metrics.def
cat >copy/er_print/aggregate/leaked_bytes.c <<'C'
/* The pass of the pair metric: an event takes back what an earlier one of the same address added. */
#include "event_filter.h"
#include "metrics.h"
#include "number_map.h"
struct leaks { const struct metric_keys *keys; uint64_t *sums, *events; struct number_map last; struct { uint32_t stack; uint64_t bytes; } all[100]; uint32_t count; };
static void add(void *context, const struct data_batch *batch)
{
	struct leaks *leaks = context;
	const uint32_t *key = leaks->keys ? leaks->keys->of(leaks->keys->context, KIND_POOL, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count && leaks->count < 100; i++) {
		uint32_t *place = number_map_place(&leaks->last, batch->field[FIELD_INDEX(POOL, address)][i]);
		if (*place != UINT32_MAX)
			leaks->sums[leaks->all[*place].stack] -= leaks->all[*place].bytes;
		leaks->all[leaks->count].stack = key[i];
		leaks->all[leaks->count].bytes = batch->field[FIELD_INDEX(POOL, bytes)][i];
		leaks->sums[key[i]] += batch->field[FIELD_INDEX(POOL, bytes)][i];
		*place = leaks->count++;
		++*leaks->events;
	}
}
metric_pass leaked_bytes;
void leaked_bytes(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums, uint64_t *events)
{
	struct leaks leaks = {.keys = keys, .sums = sums[0], .events = events};
	event_filter_visit(data, KIND_POOL, filter, add, &leaks);
	number_map_free(&leaks.last);
}
C
cat >copy/generate.c <<'C'
/* main calls f, g; both wait for locks (f 100 and 300 ns, g 2000000000); f allocates 64 and 32 bytes, main frees the 64. */
#include "synthetic.h"
int main(void)
{
	struct synthetic *s = synthetic_begin("model.er");
	enum { MAIN = 0x400100, F = 0x400200, G = 0x400300 };
	synthetic_map_object(s, 0x400000, 0x1000, 0, 0x400000, "/nosuch/program");
	uint32_t f = synthetic_stack(s, (uint64_t[]){MAIN, F}, 2, 0), g = synthetic_stack(s, (uint64_t[]){MAIN, G}, 2, 0);
	uint32_t m = synthetic_stack(s, (uint64_t[]){MAIN}, 1, 0);
	synthetic_event(s, KIND_LOCK, 1, 1000, f, (uint64_t[]){100});
	synthetic_event(s, KIND_LOCK, 2, 2000, f, (uint64_t[]){300});
	synthetic_event(s, KIND_LOCK, 1, 3000, g, (uint64_t[]){2000000000});
	synthetic_event(s, KIND_POOL, 1, 4000, f, (uint64_t[]){0x10, 64});
	synthetic_event(s, KIND_POOL, 1, 5000, f, (uint64_t[]){0x20, 32});
	synthetic_event(s, KIND_POOL, 2, 6000, m, (uint64_t[]){0x10, 0});
	synthetic_end(s);
	s = synthetic_begin("guessed.er");
	synthetic_map_object(s, 0x400000, 0x1000, 0, 0x400000, "/nosuch/program");
	synthetic_clock(s, 1, 1000, synthetic_stack(s, (uint64_t[]){MAIN, F}, 2, SYNTHETIC_HEURISTIC), 1000000, 0);
	synthetic_clock(s, 1, 2000, synthetic_stack(s, (uint64_t[]){MAIN, F}, 2, SYNTHETIC_TRUNCATED), 2000000, 0);
	synthetic_clock(s, 1, 3000, synthetic_stack(s, (uint64_t[]){MAIN, F}, 2, SYNTHETIC_FAILED), 4000000, 0);
	synthetic_clock(s, 1, 4000, 0, 8000000, 0);
	synthetic_end(s);
	return 0;
}
C
MAKEFLAGS= make -C copy O=build CI= -j2 build/bin/er_print build/lib/libformat.a >built 2>&1 || { tail -n 20 built; exit 1; }
# shellcheck disable=SC2046
cc -std=gnu17 -D_GNU_SOURCE -o generate -iquote copy/experiment-format -iquote copy/experiment-format/write -iquote copy/tests/synthetic \
	copy/generate.c copy/tests/synthetic/*.c copy/build/lib/libformat.a -lexpat
./generate
er_print=copy/build/bin/er_print
"$er_print" -metric_list model.er | tee list
grep -qF 'Current metrics: e.%lockwait:i.%lockwait:i+lockwaits:i+%leakbytes:i+meanwait:name' list
grep -qF 'Exclusive Lock Wait Time ( e.%lockwait )' list
"$er_print" -verify model.er | grep ' 0 violated$'
"$er_print" -printmode ';' -functions model.er >functions
cat functions
row()
{
	grep -qxF "$1" functions || { echo "no row $1"; exit 1; }
}
row '"Exclusive";"Exclusive";"Inclusive";"Inclusive";"Inclusive";"Inclusive";"Inclusive";"Inclusive";"Name"'
row '"2.000";"100.00";"2.000";"100.00";"3";"32";"100.00";"666666800.000";"<Total>"'
# The three functions have no symbols: code of one object that cannot be read.
"$er_print" -metrics i+lockwaits:i+leakbytes:i+meanwait -printmode ';' -pcs model.er >pcs
cat pcs
grep -qE '^"2";"32";"200.000";".* \+ 0x0*400200"$' pcs || grep -qE '^"2";"32";"200.000";' pcs
grep -qE '^"1";"0";"2000000000.000";' pcs
grep -qE '^"3";"32";"666666800.000";".*\+' pcs
"$er_print" -overview model.er | tee overview
grep -qF '[X]Lock Wait Time - lockwait (Seconds): [*2.000]' overview
grep -qF '[X]Bytes Leaked - leakbytes: [32]' overview
grep -qF '  Pool Tracing' overview
# The program that does not know the kinds reads the experiment all the same.
"$BUILD/bin/er_print" -functions -header model.er >without
grep -q '<Total>' without

# Guesses are marked in expert mode, which also shows where walks ended; other modes do neither.
"$BUILD/bin/er_print" -viewmode expert -metrics i.totalcpu -calltree guessed.er >expert 2>/dev/null
cat expert
grep -qE '^0\.001 +\+-<static>.* \(found by heuristics\)$' expert
[ "$(grep -c 'found by heuristics' expert)" -eq 1 ]
grep -qE '^0\.002 +\+-<Truncated-stack>$' expert
grep -qE '^0\.004 +\+-<Stack-unwind-failed>$' expert
grep -qE '^0\.008 +\+-<no stack>$' expert
"$BUILD/bin/er_print" -calltree guessed.er | grep -c 'found by heuristics' | grep -qx 0
