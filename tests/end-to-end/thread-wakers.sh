#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A thread wakes a second one, and that a third, by each kind of object, and so do processes: the waits, by the clock of who
# waited, are the wakeup time of the functions that ended them, and of the threads. So it is without and with tracing, and as a
# user without rights.
# measures how long threads wait for one another
. "$TESTS/end-to-end/hostile.bash"
. "$TESTS/end-to-end/checks.bash"
er_print=$BUILD/bin/er_print
# missing: the check of each line "WRONG NAME" on standard input, which is printed, missed.
missing()
{
	local line
	while read -r line; do
		echo "$line"
		[[ $line != WRONG* ]] || missed "$line"
	done
}
# record NAME PROGRAM OPTIONS LAUNCHER...
record()
{
	local name=$1 program=$2 options=$3
	shift 3
	# shellcheck disable=SC2086
	"$@" "$collect" $options -O said -o "$name.er" "$PROGRAMS/$program" >"$name.own"
}
# wakeups NAME COUNT: those who ended waits, each for as long as the waiting ones say.
wakeups()
{
	local name=$1 count=$2
	"$er_print" -metrics i.wakeup:name -sort i.wakeup -name short -functions "$name.er" | awk '/^ *[0-9.]+ /' >"$name.list"
	awk -v name="$name" -v count="$count" '
		FNR == NR { shown[$2] = $1; next }
		$1 ~ /_wake/ {
			checked++
			printf "%s: %s: wakeup %.3f, by the clock of who waited %.3f\n", name, $1, shown[$1], $3
			if (shown[$1] < .85 * $3 || shown[$1] > 1.15 * $3) print "WRONG " name " " $1
		}
		END { if (checked != count) print "WRONG " name " count" }' "$name.list" "$name.own" >"$name.found"
	missing <"$name.found"
}
# wakers NAME OPTIONS LAUNCHER...
wakers()
{
	local name=$1 options=$2
	shift 2
	record "$name" wakers "-F off $options" "$@"
	wakeups "$name" 24
	# Two threads ended twelve waits of one and of two steps each, and one of them or the third that of the first, which joins them.
	"$er_print" -metrics e.wakeup:name -Threads "$name.er" >"$name.threads"
	awk -v name="$name" '$2 == "Process" { print name ": " $0; many += $NF > 1 && $1 > .3; first = $NF == 1 ? $1 : first }
		END { exit many != 3 || first != 0 }' "$name.threads" || missed "threads $name"
}
wakers plain ""
wakers traced "-s on -i on"
# Processes wake one another, and their parent, also those that wait for many descriptors.
record processes process_wakers ""
wakeups processes 23
record processes-traced process_wakers "-i on"
wakeups processes-traced 23
# So they do by locks in memory that they share, also where the kernel's wakeups may not be seen.
blind=()
[ "$(id -u)" != 0 ] || blind=(setpriv --bounding-set -perfmon,-sys_admin --inh-caps -perfmon,-sys_admin)
record locks process_locks "" "${blind[@]}"
wakeups locks 18
record locks-traced process_locks "-s on" "${blind[@]}"
wakeups locks-traced 18
# A flame graph of them.
"$er_print" -metrics i.wakeup:name -sort i.wakeup -flamegraph wakeups.svg plain.er >/dev/null
{ grep -q 'second_wakes_condition' wakeups.svg && ! grep -q 'wait_condition' wakeups.svg; } || fail "wakeups.svg"
# Chains: the third thread waited for the second, which waited for the first meanwhile.
"$er_print" -metrics i.chain:name -sort i.chain -name short -folded chains plain.er >/dev/null
awk '
	function number(name) { return match($0, "second_wakes_[a-z]*;.*--;.*first_wakes_" name ";") }
	match($0, /wait_[a-z]*;/) {
		name = substr($0, RSTART + 5, RLENGTH - 6)
		chained[name] += number(name) ? $NF / 1e9 : 0
	}
	END {
		for (name in chained) {
			printf "chain by %s: %.3f\n", name, chained[name]
			found += chained[name] > .1
		}
		exit found != 12
	}' chains || fail "chains"
open_to_nobody
wakers user "" as_nobody
verdict
