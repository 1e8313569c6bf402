#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code spaces of a feed of samples: reference example 3.1 to the digit, with whole blocks and with exact ends; the limits of weight and
# of overlap; stationary, unresolved and inconsistent intervals; readings that wrap or are missing; conservation; any order of lines.
set -eu
er_print=$BUILD/bin/er_print
spaces() # FEED COMMAND...: the rows without verdicts, with '|' between their cells, times in seconds
{
	local feed=$1
	shift
	"$er_print" -printmode '|' -import "$feed" "$@" -spaces 2>err | sed -E '1,/V  \(%\)/d; s/"//g; s/[^|]*\|([^|]*)$/\1/'
}

# A loop in one function. Whole blocks: 4 x 8 + 12 = 44 instructions; exact: 3 + 5 + 6 + 3 + 7 = 24.
cat >loop.feed <<'END'
#er_print samples 1
isize 4
func loop 1000 1040
block 1000 1010 -> 1010
block 1010 1030 -> 1010 1030   # ends in a conditional jump
block 1030 1040 ret
counter misses
s 1 0 1014 0
s 1 1 1020 310
s 1 2 1014 310
s 1 3 102c 400
s 1 4 1018 450
s 1 5 1034 500
END
spaces loop.feed >out
diff out - <<'END'
|44|100.00|0.005|100.00|5|500|100.00||<Total>
1|32|72.73|0.004|80.00|4|450|90.00|weight, time|loop [0x10,0x30)
2|12|27.27|0.001|20.00|1|50|10.00|weight, time|loop [0x10,0x30) [0x30,0x40)
END
spaces loop.feed -space_rules ends=exact >out
diff out - <<'END'
|24|100.00|0.005|100.00|5|500|100.00||<Total>
1|7|29.17|0.001|20.00|1|50|10.00|weight, time|loop [0x18,0x30) [0x30,0x34)
2|6|25.00|0.001|20.00|1|90|18.00|weight, time|loop [0x14,0x2c)
3|5|20.83|0.001|20.00|1|0|0.|weight, time|loop [0x10,0x14) [0x20,0x30)
4|3|12.50|0.001|20.00|1|50|10.00|weight, time|loop [0x10,0x18) [0x2c,0x30)
5|3|12.50|0.001|20.00|1|310|62.00|weight, time|loop [0x14,0x20)
END

# The metrics of other reports: what was counted until a sample is its function's.
"$er_print" -printmode csv -import loop.feed -metrics e+samples:e+misses:name -functions 2>err | sed '1d; s/\r$//; /^Current/d' >out
diff out - <<'END'
6,500,<Total>
6,500,loop
END

# The lines of samples in any order.
(grep -v '^s ' loop.feed && grep '^s ' loop.feed | tac) >back.feed
for rules in ends=blocks ends=exact; do
	"$er_print" -import loop.feed -space_rules $rules -spaces >one
	"$er_print" -import back.feed -space_rules $rules -spaces >other
	cmp one other
done

# A diamond: what both ways have in common are two spaces, 4 and 2 instructions, with 2/3 and 1/3 of 9 ms and 90 misses. A sample
# at the start of the last block has the first one alone. A jump table whose targets are known is several ways likewise; one that
# is not known, and a place that is in no block, are no way.
cat >diamond.feed <<'END'
#er_print samples 1
isize 4
func diamond 1000 1100
block 1000 1010 -> 1010 1020
block 1010 1020 -> 1030
block 1020 1030 -> 1030
block 1030 1038 -> 1038
block 1038 1050 ret
block 1050 1060 ind
block 1070 1078 -> 1080 1090 10a0
block 1080 1090 -> 10b0
block 1090 10a0 -> 10b0
block 10a0 10b0 -> 10b0
block 10b0 10c0 ret
counter misses
s 1 0 1000 0
s 1 9 1034 90
s 2 0 1000 0
s 2 1 1030 7
s 3 0 1050 0
s 3 1 1000 5
s 4 0 1060 0
s 4 2 1000 3
s 5 0 1070 0
s 5 6 10bc 60
s 6 1 1000 9
END
spaces diamond.feed -space_rules limit=0 >out
diff out - <<'END'
|16|100.00|0.019|100.00|7|165|100.00||<Total>
1|8|50.00|0.007|36.84|2|67|40.61|weight, time|diamond [0,0x10)
2|4|25.00|0.004|21.05|1|40|24.24|weight, time|diamond [0xb0,0xc0)
3|2|12.50|0.003|15.79|1|30|18.18|weight, time|diamond [0x30,0x38)
4|2|12.50|0.002|10.53|1|20|12.12|weight, time|diamond [0x70,0x78)
5|0|0.|0.003|15.79|2|8|4.85|time|diamond, unresolved
END

# An inner loop whose exit is at its head, in an outer one: from its body to itself is the way round the inner loop, and from the end
# of the outer loop to its head is one step of that. One instruction: in a loop the way round it, else stationary. Lengths are
# 2 x (4 + 8), 4 + 8 + 8 and 2 + 8.
cat >loops.feed <<'END'
#er_print samples 1
isize 2
func nest 0 40
block 0 4 -> 4
block 4 8 -> 8
block 8 10 -> 10 20
block 10 20 -> 8
block 20 30 -> 4 30
block 30 40 ret
counter misses
s 1 0 16 0
s 1 1 12 1
s 2 0 24 0
s 2 1 6 10
s 3 0 12 0
s 3 1 12 100
s 4 0 34 0
s 4 1 34 1000
s 5 0 12 0
s 5 1 24 10000
END
spaces loops.feed >out
diff out - <<'END'
|54|100.00|0.005|100.00|5|11111|100.00||<Total>
1|24|44.44|0.002|40.00|2|101|0.91|weight, time|nest [0x8,0x10) [0x10,0x20)
2|20|37.04|0.001|20.00|1|10000|90.00|weight, time|nest [0x8,0x10) [0x10,0x20) [0x20,0x30)
3|10|18.52|0.001|20.00|1|10|0.09|weight, time|nest [0x4,0x8) [0x20,0x30)
4|0|0.|0.001|20.00|1|1000|9.00|time|nest at 0x34, stationary
END

# Readings that went back, or are missing, are unknown; an interval of which fewer instructions were executed than it has is none of
# the space. The sum of known counts is the last reading less the first.
cat >readings.feed <<'END'
#er_print samples 1
isize 4
func f 1000 1040
block 1000 1040 -> 1000
counter instructions
counter misses
s 1 0 1000 0 100
s 1 1 1000 16 150
s 1 2 1000 31 20
s 1 3 1000 100 30
s 1 4 1000 - 31
s 1 5 1000 300 40
END
"$er_print" -import readings.feed -spaces >out
grep -q '^instructions: not known in 2 of 5 intervals$' out
grep -q '^misses: not known in 1 of 5 intervals$' out
spaces readings.feed >out
diff out - <<'END'
|64|100.00|0.005|100.00|5|100|100.00|70|100.00||<Total>
1|64|100.00|0.004|80.00|4|85|85.00|70|100.00|weight, time|f [0,0x40)
2|0|0.|0.001|20.00|1|15|15.00|0|0.|time|f, inconsistent
END

# limits NAME WEIGHT OTHER: a function of one block and one of WEIGHT instructions whose shares are WEIGHT and OTHER of the whole, with
# all of the time but a thousandth in the other.
limits()
{
	printf '#er_print samples 1\nfunc small 1000 %x\nblock 1000 %x -> 1000\nfunc large 100000 %x\nblock 100000 %x -> 100000\n' \
		$((0x1000 + $2)) $((0x1000 + $2)) $((0x100000 + $3)) $((0x100000 + $3))
	printf 's 1 0 1000\ns 1 1 1000\ns 2 0 100000\ns 2 1000 100000\n'
}
limits small 100 9900 >out.feed
limits small 101 9899 >in.feed
spaces out.feed >out
diff out - <<'END'
|10000|100.00|1.001|100.00|2||<Total>
1|9900|99.00|1.000|99.90|1|weight, time|large [0,0x26ac)
|100|1.00|0.001|0.10|1||<1 other space>
END
spaces in.feed | grep -q '^2|101|1.01|0.001|0.10|1|weight|small \[0,0x65)$'

# Spaces of one function of 100 one-byte instructions: 90 of 100 in common are one class, 89 are two.
overlap()
{
	printf '#er_print samples 1\nfunc f 0 100\nblock 0 64 -> 64\nblock 64 80 ret\n'
	printf 's 1 0 0\ns 1 1 64\ns 2 0 %x\ns 2 1 64\n' $((100 - $1))
}
overlap 90 >same.feed
overlap 89 >other.feed
spaces same.feed -space_rules ends=exact >out
diff out - <<'END'
|190|100.00|0.002|100.00|2||<Total>
1|190|100.00|0.002|100.00|2|weight, time|f [0,0x64), and 1 like it
END
spaces other.feed -space_rules ends=exact >out
diff out - <<'END'
|189|100.00|0.002|100.00|2||<Total>
1|100|52.91|0.001|50.00|1|weight, time|f [0,0x64)
2|89|47.09|0.001|50.00|1|weight, time|f [0xb,0x64)
END
spaces other.feed -space_rules ends=exact:overlap=89 | grep -q 'and 1 like it'

# A thread of one sample has no interval; the filter chooses intervals by their later sample; lines that are none are counted.
printf '#er_print samples 1\nfunc f 0 10\nblock 0 10 ret\ns 1 0 0\n' >single.feed
fails() # TEXT COMMAND...
{
	local text=$1
	shift
	! "$er_print" "$@" >out 2>err || exit 1
	grep -qxF "$text" err || { cat err && exit 1; }
}
fails 'Error: There are no two samples of one thread, or the filter keeps none' -import single.feed -spaces
fails 'Error: Invalid argument to command: space_rules limit=101: it must be limit=PERCENT from 0 to 100, overlap=PERCENT above 0, ends=blocks, ends=exact, window=MILLISECONDS, window=auto, counts=NUMBER from 100, counts=default, several of them with '"':'"' between, or default' \
	-import single.feed -space_rules limit=101
spaces loops.feed -filters 'THRID==5' | grep -q '^1|20|100.00|.*|nest \[0x8,0x10) \[0x10,0x20) \[0x20,0x30)$'
cat >bad.feed <<'END'
#er_print samples 1
block 0 10 ret
func f 0 10
func f 20 30
block 0 20 ret
block 0 8 -> 8
block 4 10 ret
counter a
s 1 0 0
s 1 0 0 x
s 1 0 0 1
s 1 1 4 2
counter b
nonsense
END
"$er_print" -import bad.feed -header -spaces >out 2>err
cat out err | grep -q ': 8 in all, line 2 is no line of a feed of samples$' || { cat out err && exit 1; }
echo "single function" | tr ' ' ';' | sed 's/$/ 3/' >folded
fails 'Error: There are no samples in time: code spaces are between two samples of a thread' -import folded -spaces
