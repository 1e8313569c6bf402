#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Folding: 20 appearances of a code space on one another, by a feed whose numbers are arithmetic; intervals that are longer than a part;
# appearances that are too few or too short.
set -eu
er_print=$BUILD/bin/er_print
cat >code <<'END'
#er_print samples 1
isize 4
func f 1000 1080
block 1000 1040 -> 1000 1040
block 1040 1080 -> 1000 1040
counter misses
END
# feed APPEARANCES INTERVALS MILLISECONDS: A appears so often, in so many intervals of so many ms; the later half of them has 8 misses
# an interval, the first one none. B is between for one interval with 1000 misses.
feed()
{
	cat code
	awk -v appearances="$1" -v intervals="$2" -v length_of="$3" 'BEGIN {
		for (a = 0; a < appearances; a++) {
			for (i = 0; i < intervals; i++) {
				printf "s 1 %d 1000 %d\n", time, misses
				time += length_of
				misses += 2 * i >= intervals ? 8 : 0
			}
			printf "s 1 %d 1040 %d\n", time, misses
			time += length_of
			misses += 1000
		}
		printf "s 1 %d 1000 %d\n", time, misses
	}'
}
rows() # FEED SPACE: misses, their part, rate and ratio, and the part
{
	"$er_print" -printmode '|' -import "$1" -folding "$2" 2>err | sed '1,/V  (%)/d; s/"//g'
}
# Ten intervals of 1 ms: each part is one. The mean rate is 4 a ms.
feed 20 10 1 >ten.feed
rows ten.feed 1 >out
cat out
diff <(cut -d '|' -f 1-4 out) - <<'END'
0|0.|0.000|0.000
0|0.|0.000|0.000
0|0.|0.000|0.000
0|0.|0.000|0.000
0|0.|0.000|0.000
160|20.00|8.000|2.000
160|20.00|8.000|2.000
160|20.00|8.000|2.000
160|20.00|8.000|2.000
160|20.00|8.000|2.000
END
[ "$(sed -n '1s/.*|//p; $s/.*|//p' out | paste -sd,)" = '0 to 10 %,90 to 100 %' ]
"$er_print" -import ten.feed -folding 1 | grep -qx '20 appearances with two intervals or more, 10.000 ms each on average, laid on one another'
# Two intervals of 5 ms: five parts are one interval, whose 8 misses are parted as whole numbers.
feed 24 2 5 >two.feed
rows two.feed 1 | awk -F'|' '{ all += $1; if (NR > 5) late += $1; if (NR > 5 && ($1 < 24 || $1 > 48)) bad = 1 }
	END { print late " of " all; exit bad || NR != 10 || all != 192 || late != 192 }'
fails() # TEXT ARGUMENT...
{
	local text=$1
	shift
	if "$er_print" "$@" >out 2>err; then exit 1; fi
	grep -qF "$text" err
}
feed 19 10 1 >few.feed
fails 'folding: space 1 has 19 appearances with two intervals or more, and there must be 20 at least' -import few.feed -folding 1
fails 'folding: space 2 has 0 appearances' -import ten.feed -folding 2
fails 'folding 3: spaces are 1 to 2' -import ten.feed -folding 3
