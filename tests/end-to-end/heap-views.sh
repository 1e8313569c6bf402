#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# leaks, allocs, heap, heapstat, datasize: what they print about a program that knows it.
. "$TESTS/end-to-end/heap.bash"
cat >known.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
static void *volatile keep;
__attribute__((noinline)) static void big(void) { keep = malloc(100000); }
__attribute__((noinline)) static void small(void) { for (int i = 0; i < 10; i++) keep = malloc(20); }
__attribute__((noinline)) static void peak(void) { void *p = malloc(900000); keep = p; free(p); }
int main(void)
{
	small();
	peak();
	big();
	for (int i = 0; i < 30; i++) { void *p = malloc(300); keep = p; free(p); }
	return 0;
}
C
gcc -O1 -g -fno-builtin -o known known.c
"$collect" -p off -H on -O said -o test.er ./known
"$er_print" -leaks test.er >leaks
[ "$(head -n 1 leaks)" = "Summary Results: Distinct Leaks = 2, Total Instances = 11, Total Bytes Leaked = 100200" ]
[ "$(grep '^Leak #' leaks)" = "Leak #1, Instances = 1, Bytes Leaked = 100000
Leak #2, Instances = 10, Bytes Leaked = 200" ]
sed -n '/^Leak #1/,/^$/p' leaks | sed -n 2p | grep -qE '^  big \+ 0x[0-9A-F]{8}, line 4 in "known.c"$'
sed -n '/^Leak #2/,/^$/p' leaks | sed -n 3p | grep -qE '^  main \+ 0x[0-9A-F]{8}, line 9 in "known.c"$'
[ "$("$er_print" -limit 1 -leaks test.er | grep -c '^Leak #')" -eq 1 ]
"$er_print" -allocs test.er >allocs
[ "$(head -n 1 allocs)" = "Summary Results: Distinct Allocations = 4, Total Instances = 42, Total Bytes Allocated = 1009200" ]
[ "$(grep -c '^Allocation #' allocs)" -eq 4 ]
"$er_print" -heap test.er >heap
[ "$(head -n 3 heap)" = "<Total>
Instances = 42  Bytes Allocated = 1009200
Instances = 11  Bytes Leaked = 100200" ]
[ "$(grep -c '^Stack 0x' heap)" -eq 4 ]
"$er_print" -heapstat test.er >heapstat
while read -r value label; do
	grep -qE "^ *$label +$value\$" heapstat || { cat heapstat; echo "not $label $value"; exit 1; }
done <<'ROWS'
900200 Heap size bytes
11 Blocks and mappings at the peak
100200 Heap size bytes at the end
10 0KB - 1KB
ROWS
grep -A1 '^Bytes = 900000 (99.98 %)$' heapstat | grep -q '^  peak + '
[ "$(awk '/^Smallest/ {print $4}' heapstat | paste -sd' ')" = "20 20" ]
[ "$(awk '/^Largest/ {print $4}' heapstat | paste -sd' ')" = "900000 100000" ]
"$er_print" -datasize test.er | awk 'NR > 2 {$1 = $1; print}' >datasize
diff - datasize <<'ROWS'
10 200 10 200 16 < n <= 64
30 9000 0 0 256 < n <= 1KB
1 100000 1 100000 64KB < n <= 256KB
1 900000 0 0 256KB < n <= 1MB
ROWS
# A filter chooses allocations; what releases them is another matter.
[ "$("$er_print" -filters 'HSIZE==20' -leaks test.er | grep Summary)" = "Summary Results: Distinct Leaks = 1, Total Instances = 10, Total Bytes Leaked = 200" ]
[ "$(heap_total test.er 'FNAME("peak") SOME IN USTACK')" = "1 900000 0 0" ]
# Blocks at the peak, and those that came and went, by function and in a picture.
# sums FILTER EXPERIMENT: blocks and bytes at the peak, temporary blocks and bytes of <Total>.
sums()
{
	"$er_print" -filters "$1" -metrics i+heappeakcnt:i+heappeakbytes:i+heaptempcnt:i+heaptempbytes:name -functions "$2" | awk '$5 == "<Total>" {print $1, $2, $3, $4}'
}
[ "$(sums 1 test.er)" = "11 900200 31 909000" ]
[ "$(sums 'FNAME("peak") SOME IN USTACK' test.er)" = "1 900000 1 900000" ]
[ "$(sums 'FNAME("small") SOME IN USTACK' test.er)" = "10 200 0 0" ]
[ "$(sums 'HSIZE==300' test.er)" = "0 0 30 9000" ]
"$er_print" -metrics i+heappeakbytes -sort i.heappeakbytes -flamegraph peak.svg test.er 2>/dev/null >said
grep -q '<text id="subtitle"[^>]*>Bytes at Peak 900,200 bytes, test.er, ' peak.svg
grep -q '<title>peak (900,000 bytes, 99.98%)<' peak.svg
grep -q '<title>small (200 bytes, 0.02%)<' peak.svg
! grep -q '<title>big ' peak.svg || exit 1
"$er_print" -metrics i+heaptempcnt -sort i.heaptempcnt -icicle temporary.svg test.er 2>/dev/null >said
grep -q '<text id="subtitle"[^>]*>Temporary Allocations 31, test.er, ' temporary.svg
# Another path may allocate meanwhile; the same may not, and another thread's release makes no temporary.
cat >temporary.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *volatile keep;
static void *volatile all[5];
__attribute__((noinline)) static void two(void) { void *p = malloc(10), *q; keep = p; q = malloc(20); keep = q; free(p); free(q); }
__attribute__((noinline)) static void row(void)
{
	for (int i = 0; i < 5; i++)
		all[i] = malloc(8);
	for (int i = 0; i < 5; i++)
		free(all[i]);
}
static void *release(void *block) { free(block); return 0; }
__attribute__((noinline)) static void given(void)
{
	pthread_t thread;
	void *block = malloc(40);
	keep = block;
	pthread_create(&thread, 0, release, block);
	pthread_join(thread, 0);
}
__attribute__((noinline)) static void grown(void) { void *p = malloc(50); keep = p; p = realloc(p, 5000); keep = p; free(p); }
int main(void) { two(); row(); given(); grown(); return 0; }
C
gcc -O1 -g -fno-builtin -pthread -o temporary temporary.c
"$collect" -p off -H on -O said -o t.er ./temporary
for known in "two 2 30" "row 1 8" "given 0 0" "grown 2 5050"; do
	read -r name count bytes <<<"$known"
	got=$(sums "FNAME(\"$name\") SOME IN USTACK && HSIZE < 6000" t.er | cut -d' ' -f3,4)
	[ "$got" = "$count $bytes" ] || { echo "$name: $got temporary, not $count $bytes"; exit 1; }
done

# Without such data they say so.
"$collect" -O said -o clock.er ./known
! "$er_print" -leaks clock.er 2>err || exit 1
grep -q 'Heap trace information was not requested' err
