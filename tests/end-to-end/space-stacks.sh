#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code spaces between two stacks: in the frame that both have in common, with what returned and what began below it; round the
# loop of a caller where the code was called anew; stationary; cut stacks; one interval between two runs is a passage.
set -eu
er_print=$BUILD/bin/er_print
cat >code <<'END'
#er_print samples 1
isize 4
func main 5000 5040
block 5000 5010 -> 5010
block 5010 5030 -> 5010 5030
block 5030 5040 ret
func f 6000 6020
block 6000 6020 ret
func g 7000 7030
block 7000 7010 -> 7010
block 7010 7020 -> 7010 7020
block 7020 7030 ret
func h 8000 8030
block 8000 8010 -> 8010
block 8010 8020 -> 8010 8020
block 8020 8030 ret
func k 9000 9060
block 9000 9010 -> 9010
block 9010 9020 -> 9010 9020
block 9020 9030 -> 9030 9040
block 9030 9040 -> 9050
block 9040 9050 -> 9050
block 9050 9060 ret
func i c000 c040
block c000 c010 -> c010 c020
block c010 c020 -> c020
block c020 c030 -> c010 c030
block c030 c040 ret
func n a000 a010
block a000 a010 ind
counter misses
END
spaces() # COMMAND... of the feed: number, weight, time, intervals, misses, name
{
	"$er_print" -printmode '|' -import feed "$@" 2>err | sed -E '1,/V  \(%\)/d; s/"//g' | cut -d'|' -f1,2,4,6,7,11
}
check() # PLACE PLACE <EXPECTED: a thread goes from one place to the other in 24 ms, and misses 240 times.
{
	cp code feed
	printf 's 1 0 %s 0\ns 1 24 %s 240\n' "$1" "$2" >>feed
	spaces -spaces >out
	echo "$1 to $2"
	diff out -
}

# In one call of g: its loop of 4 instructions.
check '5018>7014' '5018>7018' <<'END'
|4|0.024|1|240|<Total>
1|4|0.024|1|240|g [0x10,0x20)
END
# From one call of main's to the next: 8 of main, and all 8 of f that was called, which returned and began: 3 parts of 8 ms.
check '5018>6004' '5020>6008' <<'END'
|24|0.024|3|240|<Total>
1|16|0.016|2|160|f [0,0x20)
2|8|0.008|1|80|main [0x10,0x30)
END
# At one place of f, which is in no loop; main's call is in one.
check '5018>6004' '5018>6004' <<'END'
|24|0.024|3|240|<Total>
1|16|0.016|2|160|f [0,0x20)
2|8|0.008|1|80|main [0x10,0x30)
END
# Back in f: it was another call.
check '5018>600c' '5018>6004' <<'END'
|24|0.024|3|240|<Total>
1|16|0.016|2|160|f [0,0x20)
2|8|0.008|1|80|main [0x10,0x30)
END
# Two blocks that lead to each other are a loop even if both can be entered first.
check '5034>c014' '5034>c014' <<'END'
|8|0.024|1|240|<Total>
1|8|0.024|1|240|i [0x10,0x20) [0x20,0x30)
END
# Nothing around it is in a loop.
check '5034>6004' '5034>6004' <<'END'
|0|0.024|1|240|<Total>
1|0|0.024|1|240|f at 0x4, stationary
END
check '5034>600c' '5034>6004' <<'END'
|0|0.024|1|240|<Total>
1|0|0.024|1|240|f, unresolved
END
# Into another function: 8 of f, 8 of main, and of g its begin and its loop's block.
check '5018>6004' '5020>7014' <<'END'
|24|0.024|3|240|<Total>
1|8|0.008|1|80|f [0,0x20)
2|8|0.008|1|80|g [0,0x10) [0x10,0x20)
3|8|0.008|1|80|main [0x10,0x30)
END
# A caller that is the leaf before: no call is open any more, or not yet.
check '5018>7024' '5020' <<'END'
|12|0.024|2|240|<Total>
1|8|0.016|1|160|main [0x10,0x30)
2|4|0.008|1|80|g [0x20,0x30)
END
# The ways through k part: its begin and its end are two spaces, of 4 + 4 + 4 and of 4 instructions.
check '5018' '5020>9054' <<'END'
|24|0.024|3|240|<Total>
1|12|0.012|1|120|k [0,0x10) [0x10,0x20) [0x20,0x30)
2|8|0.008|1|80|main [0x10,0x30)
3|4|0.004|1|40|k [0x50,0x60)
END
# Its rest from the place where they part: the same, without the begin: 4 and 4.
check '5018>9024' '5020' <<'END'
|16|0.024|3|240|<Total>
1|8|0.012|1|120|main [0x10,0x30)
2|4|0.006|1|60|k [0x20,0x30)
3|4|0.006|1|60|k [0x50,0x60)
END
# The end of n is not known: it has no part.
check '5018>a004' '5020' <<'END'
|8|0.024|1|240|<Total>
1|8|0.024|1|240|main [0x10,0x30)
END
# Stacks that were cut have no caller in common, but are in one function.
check '5018>7014' '8004>7018' <<'END'
|4|0.024|1|240|<Total>
1|4|0.024|1|240|g [0x10,0x20)
END
# Recursion: the outer call of k goes on, by 8 instructions; the inner one has returned, from its loop to where the ways part, and
# over its end: 8 and 4.
check '5018>9024>9014' '5018>9044' <<'END'
|20|0.024|3|240|<Total>
1|8|0.010|1|96|k [0x10,0x20) [0x20,0x30)
2|8|0.010|1|96|k [0x20,0x30) [0x40,0x50)
3|4|0.005|1|48|k [0x50,0x60)
END

# A run of g, a run of h, a run of g, a run of k and so on, five times: main's interval between them is a passage, and no neighbour.
awk 'BEGIN {
	time = 0
	for (turn = 0; turn < 5; turn++)
		for (phase = 0; phase < 4; phase++) {
			place = phase % 2 == 0 ? "5018>7014" : phase == 1 ? "5020>8014" : "5020>9014"
			for (i = 0; i < 4; i++)
				printf "s 1 %d %s %d\n", time, place, 10 * time++
		}
}' >samples
cat code samples >feed
"$er_print" -printmode '|' -import feed -patterns 2>err | sed 's/"//g' | cut -d'|' -f1-6 | grep '^2|' >out
diff out - <<'END'
2|after|5 h [0x10,0x20)|5|15|0.015
2|after|6 k [0x10,0x20)|4|12|0.012
2|after|<begin>|1|3|0.003
2|before|5 h [0x10,0x20)|5|15|0.015
2|before|6 k [0x10,0x20)|5|15|0.015
END
