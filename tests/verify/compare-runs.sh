#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fail_if on real runs: twenty pairs of runs of one program, in turn, normalized by the total, of at least 10 000 samples each, and
# twenty whose second run has a function of a fifth of the time that takes 10 % longer, of as many samples as its test needs.
# limit: 900
set -eu
cat >five.c <<'C'
#include <stdlib.h>
/* A loop in registers, so that no function's speed depends on where its stores are. */
#define SPIN(name)                                                                                                       \
	__attribute__((noinline, aligned(64))) static void name(unsigned long n)                                         \
	{                                                                                                                \
		for (; n; n--)                                                                                           \
			__asm__ volatile("" : "+r"(n));                                                                  \
	}
SPIN(one) SPIN(two) SPIN(three) SPIN(four) SPIN(five)
static unsigned long seed;
/* Near 10000, so that rounds keep no step with the sampling. */
static unsigned long about(unsigned long percent)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (8000 + (seed >> 33) % 4000) * percent / 100;
}
int main(int argc, char **argv)
{
	unsigned long rounds = strtoul(argv[1], 0, 10), percent = strtoul(argv[2], 0, 10);
	seed = strtoul(argv[3], 0, 10) * (unsigned long)argc;
	while (rounds--) {
		one(about(percent));
		two(about(100));
		three(about(100));
		four(about(100));
		five(about(100));
	}
	return 0;
}
C
gcc -O1 -g -o five five.c
# 100 us of CPU time a sample; a round of five functions takes about 20 us here.
record() { "$BUILD/bin/collect" -p off -h cpu-clock,100000 -O said -o "$1" ./five "${@:2}"; }
# judge BEFORE AFTER: the exit status, the samples of the smaller run, and the share of its function one.
judge()
{
	local status=0
	"$BUILD/bin/er_print" -compare delta:by=cpu-clock -fail_if 'e.cpu-clock > +5%' "$1" "$2" >said.fail 2>&1 || status=$?
	[ $status -eq 0 ] || [ $status -eq 4 ] || { cat said.fail; exit 1; }
	for run in "$1" "$2"; do
		"$BUILD/bin/er_print" -metrics e.%cpu-clock -functions "$run" | awk '/<Total>/ {t = $1} / one$/ {p = $2} END {print t * 10000, p}'
	done | sort -n | head -n 1 | awk -v status=$status '{print status, $1, $2}'
}
record same.er 20000 100 1
samples=$("$BUILD/bin/er_print" -metrics e.cpu-clock -functions same.er | awk '/<Total>/ {print $1 * 10000}')
few=$(awk -v n="$samples" 'BEGIN {printf "%d", 20000 * 17000 / n}')
many=$(awk -v n="$samples" 'BEGIN {printf "%d", 20000 * 75000 / n}')
rm -rf same.er
for pair in $(seq 20); do
	record before.er "$few" 100 "$pair"
	record after.er "$few" 100 $((pair + 1000))
	echo "same $(judge before.er after.er)"
	rm -rf before.er after.er
	record before.er "$many" 100 "$pair"
	record after.er "$many" 110 $((pair + 1000))
	echo "slower $(judge before.er after.er)"
	rm -rf before.er after.er
done >pairs.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - <<'END2'
from bounds import bound, finish

pairs = [line.split() for line in open("pairs.txt")]
for pair in pairs:
    print("%s: status %s, %s samples, one has %s %%" % tuple(pair))
same, slower = ([pair for pair in pairs if pair[0] == kind] for kind in ("same", "slower"))
assert len(same) == len(slower) == 20 and min(int(float(pair[2])) for pair in pairs) >= 10000
bound("fail_if at 5 %% names a function though nothing changed, of 20 pairs of %d samples" % min(float(pair[2]) for pair in same),
      sum(pair[1] == "4" for pair in same), 1, "times")
bound("fail_if at 5 %% misses a function of a fifth that takes 10 %% longer, of 20 pairs of %d samples" % min(float(pair[2]) for pair in slower),
      sum(pair[1] != "4" for pair in slower), 0, "times")
finish()
END2
