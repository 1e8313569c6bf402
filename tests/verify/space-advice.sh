#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# Advice applied to small programs (tests/programs/advised.c): what `advice` says of each names the function and what to try, and
# the program that does so is faster by more than 5 standard errors of the mean difference of 15 pairs of runs in turn.
set -u
advised=$BUILD/tests/programs/advised
broken=0

# bound WHAT VALUE BOUND HOLDS
bound()
{
	local verdict=ok
	[ "$4" = 1 ] || { verdict=SHORT; broken=1; }
	echo "bound: $1 | $2 | $3 | $verdict"
}
# seconds VARIANT: prints how long it ran; its result must be the one in the file `result`.
seconds()
{
	local start=$EPOCHREALTIME
	"$advised" "$1" >out || echo "advised $1 ended with $?" >&2
	awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
	cmp out result >&2
}
# applied BAD GOOD PLACE TRY OPTION...: the first three deficits of BAD have one at PLACE with TRY as advice, which is GOOD.
applied()
{
	local bad=$1 good=$2 place=$3 try=$4 said
	shift 4
	"$BUILD/bin/collect" "$@" -O said -o "$bad.er" "$advised" "$bad" >result || cat said
	"$BUILD/bin/er_print" -limit 3 -advice "$bad.er" >"$bad.advice" 2>&1
	cat "$bad.advice"
	said=$(grep -A2 -E "^[0-9]+\. $place" "$bad.advice" | sed -n "s/^   Try: //p" | head -n 1)
	bound "advised $bad: what is said of $place" "${said:-nothing}" "$try" "$([[ $said == *"$try"* ]] && echo 1)"
	seconds "$bad" >/dev/null
	seconds "$good" >/dev/null
	for pair in {1..15}; do
		[ $((pair % 2)) = 1 ] && before=$(seconds "$bad") after=$(seconds "$good") ||
			after=$(seconds "$good") before=$(seconds "$bad")
		echo "$bad $before, $good $after" >&2
		echo "$before $after"
	done >pairs
	awk '{ b += $1; a += $2; d = $1 - $2; sum += d; squares += d * d }
		END { mean = sum / NR; error = sqrt((squares - NR * mean * mean) / (NR - 1) / NR)
			printf "%.3f s in place of %.3f s, %.1f standard errors\n%d\n", a / NR, b / NR, mean / error, (mean > 5 * error) }' pairs >gain
	bound "advised $good in place of $bad" "$(head -n 1 gain)" "faster by more than 5 standard errors" "$(tail -n 1 gain)"
}
applied pages buffer 'Page Faults in .*count_words' 'using buffers again' -p hi -h =page-faults
applied calls whole 'I/O Wait in .*store_frame' 'larger transfers' -p hi -i on -h =io-wait
applied lock locks 'Off-CPU in .*put_item at .*<User Lock>' 'several locks in place of one' -p hi
exit $broken
