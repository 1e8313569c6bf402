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
# Without such data they say so.
"$collect" -O said -o clock.er ./known
! "$er_print" -leaks clock.er 2>err
grep -q 'Heap trace information was not requested' err
