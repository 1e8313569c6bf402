#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -L with -H on: leaks are exactly what was allocated before the limit and not released, and that is said; the releases that
# are still recorded are no more than there were blocks. The heap's peak is in the samples. A program that takes malloc's
# address has no malloc of its own.
. "$TESTS/end-to-end/heap.bash"
fail()
{
	echo "$*"
	exit 1
}
unlimited()
{
	"$er_print" -header "$1" | grep -q 'No warnings' || fail "$1: warnings: $("$er_print" -header "$1" | grep Warning)"
}
limit='The size limit (-L) was reached after'
"$collect" -A off -p off -H on -L 1 -O said -o l.er "$PROGRAMS/heap_limit" >counted
read -r leaks bytes <counted
shown=$("$er_print" -leaks l.er | sed -n 's/^Summary Results: .*Instances = \([0-9]*\), .* = \([0-9]*\)$/\1 \2/p')
[ "$shown" = "$leaks $bytes" ] || fail "leaks are $shown, the target counted $leaks $bytes"
for view in leaks heap heapstat allocs; do
	"$er_print" -$view l.er | grep -qF "$limit" || fail "$view does not name the limit"
done
grep -q 'but the releases of what was allocated before' l.er/log.xml || fail "$(grep -i limit l.er/log.xml)"
# A thousand blocks and some mappings, and not 400 000 events.
size=$(cat l.er/*.events l.er/stacks | wc -c)
[ "$size" -lt $((3 << 19)) ] || fail "$size bytes"
# Without a limit nothing is said of one, and the second thousand leaks by half.
"$collect" -A off -p off -H on -O said -o all.er "$PROGRAMS/heap_limit" >counted
"$er_print" -leaks all.er | grep -F "$limit" && fail "a limit is named where there is none"
unlimited all.er

# The peak: 100 and 300 bytes and what stdio allocates, if it does.
cat >peak.c <<'C'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	void *(*volatile take)(size_t) = malloc;
	void *a = take(100), *b = take(300);
	free(a);
	a = take(50);
	free(a);
	free(b);
	return write(1, "ok\n", 3) != 3;
}
C
gcc -O1 -no-pie -fno-pic -o peak peak.c 2>/dev/null || gcc -O1 -o peak peak.c
"$collect" -A off -p off -H on -O said -o p.er ./peak >out
[ "$(cat out)" = ok ] || fail "the target printed $(cat out)"
unlimited p.er
is_as_counted p.er peak "3 450 0 0"
"$er_print" -statistics p.er >statistics
grep -qx ' *Peak heap (bytes): 400' statistics || fail "$(grep Peak statistics)"
