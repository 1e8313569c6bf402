#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Counters that clock ticks read, by function: as many bytes, faults, switches and nanoseconds as the program did there.
# measures context switches, page faults and times of a program against its own account
set -eu
er_print=$BUILD/bin/er_print
failures=0
# counted EXPERIMENT METRIC FUNCTION: of it and of what it calls; times in ns
counted()
{
	"$er_print" -printmode csv -metrics "i$2:name" -functions "$1" 2>err | tr -d '\r' |
		awk -F, -v name="$3" '$2 == name { printf "%.0f\n", $1 * ("'"$2"'" ~ /^\./ ? 1e9 : 1) }'
}
# within EXPERIMENT METRIC FUNCTION LEAST MOST
within()
{
	local got
	got=$(counted "$1" "$2" "$3")
	echo "$2 in $3: ${got:-none}, of $4 to $5"
	[ -n "$got" ] && [ "$got" -ge "$4" ] && [ "$got" -le "$5" ] || { echo "WRONG"; failures=1; }
}

# All sums at once, beside overflows of another counter, which keep their numbers.
"$BUILD/bin/collect" -p hi -H on -i on -s all -h =bytes-allocated,=io-bytes,=sync-wait,=io-wait,=context-switches,=page-faults \
	-h minor-faults,1 -O said -o sums.er "$PROGRAMS/counted_work" >own
cat own
"$er_print" -verify sums.er
within sums.er +bytes-allocated allocate 1000000 1000000
within sums.er +io-bytes transfer 2048000 2048000
within sums.er +io-bytes receive 20 20
within sums.er +page-faults touch 4096 4200
within sums.er +minor-faults touch 4096 4200
while read -r function counter count; do
	case $counter in
	context-switches) within sums.er "+$counter" "$function" $((count - 2)) $((count + 2)) ;;
	*-wait) within sums.er ".$counter" "$function" $((count - count / 50)) $((count + count / 100)) ;;
	esac
done <own

# The default set has user and system time, and only the first reading of each thread is not known.
"$BUILD/bin/collect" -p hi -h =on -O said -o times.er "$PROGRAMS/counted_work" >own
while read -r function counter count; do
	case $counter in
	*-time) within times.er ".$counter" "$function" $((count - count / 10 - 8000000)) $((count + count / 10 + 8000000)) ;;
	esac
done <own
"$er_print" -header times.er >header
grep -A8 'Counters read at samples, 4 counters' header
[ "$(grep -cE '^      counted [0-9]+ in [0-9]+ readings, of which [12] \(' header)" -eq 4 ] || { echo "WRONG header"; failures=1; }

# A group of perf events: faults in user mode, and a clock that knows the CPU time exactly.
"$BUILD/bin/collect" -p hi -h =page-faults~user=1,=task-clock,=cpu-migrations -O said -o group.er "$PROGRAMS/counted_work" >own
within group.er +page-faults touch 4096 4120
cpu=$(counted group.er .totalcpu main)
within group.er .task-clock main $((cpu * 9 / 10)) $((cpu * 11 / 10))
exit $failures
