#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits in regions of libgomp and libomp at each construct: how many exactly, their time within 15 % of what the program measured
# itself, as part of the region's waiting and of the task's, and as metrics; and filters by region, task and state.
# measures the time of waits
. "$TESTS/end-to-end/openmp.bash"
compilers=gcc
gcc -O1 -g -w -fopenmp -o waits.gcc "$TESTS/programs/openmp/waits.c" || exit 1
has_libomp && clang -O1 -g -w -fopenmp -o waits.clang "$TESTS/programs/openmp/waits.c" && compilers+=" clang"
missing=$(comm -23 <(sed -nE 's/^(DOACROSS_)?WAIT\(([A-Za-z_]+),.*/\2/p' "$TESTS/../libcollector/kinds/openmp/libgomp.def" | sort) \
	<(nm -D --undefined-only waits.gcc | sed -nE 's/.* ((GOMP|omp)_[a-z_]*)@.*/\1/p' | sort))
[ -z "$missing" ] || fail "waits.c calls none of:" $missing
# Threads of libgomp sleep while they wait, which has exact times; libomp's spin for locks, which clock ticks count.
export OMP_CANCELLATION=true OMP_WAIT_POLICY=passive
# waits EXPERIMENT: "FUNCTION WAITS TIME CONSTRUCTS" of each function that has any, times in seconds.
waits()
{
	"$er_print" -printmode ';' -OMP_wait "$1" | "$TESTS/tools/rows" | awk -F'\t' '
		$5 != "<Total>" {
			split($5, name, "[ ,]"); sub(/.*-- OMP /, "", $5); sub(/ from line.*/, "", $5); sub(/ that ends .*/, "", $5)
			function_name = name[1] == "set_nest_lock_of_fortran" ? "nest_lock" : name[1]
			waits[function_name] += $1; time[function_name] += $3
			if (!((function_name, $5) in seen)) kinds[function_name] = kinds[function_name] "," $5
			seen[function_name, $5] }
		END { for (i in waits) printf "%s %d %.6f %s\n", i, waits[i], time[i], kinds[i] }' | sed 's/ ,/ /' | sort
}
for compiler in $compilers; do
	timeout 20 "$collect" -p hi -O said -o $compiler.er ./waits.$compiler >out.$compiler || fail "waits.$compiler ended with $?"
	grep wrong out.$compiler && fail "$compiler: wrong results"
	sort out.$compiler >counted
	waits $compiler.er >found
	same "$compiler: functions and waits" "$(cut -d ' ' -f 1-2 counted | xargs)" "$(cut -d ' ' -f 1-2 found | xargs)"
	paste -d ' ' counted found | awk '$1 != "often" && $1 != "atomic" {
		own = $3 / 1e9
		if ($6 - own > own * .15 + .001 || own - $6 > own * .15 + .001) { print "by its own clock, and found: " $0; bad = 1 } }
		END { exit bad }' || fail "of $compiler"
	# gcc calls one function for the barriers of the program and for those at the end of static loops and of singles.
	other=barrier copied="barrier,single copy"
	[ $compiler = clang ] && other="implicit barrier" copied="reduction or single copy"
	cat >expected <<END
copied $copied
critical critical section
dynamic_end implicit barrier
explicit_barrier barrier
in_tasks critical section
lock lock
named critical section
nest_lock lock
often critical section
ordered ordered section
sections_end implicit barrier
single_end $other
static_end $other
taskgroup taskgroup
taskwait taskwait
END
	[ $compiler = gcc ] && cat >>expected <<END
atomic atomic operation
cancelled implicit barrier,barrier
dependent taskwait
doacross doacross wait
doacross_ull doacross wait
task_reduction implicit barrier,reduction
END
	kinds=$(sed -E 's/^([a-z_]*) [0-9]* [0-9.]* /\1 /; s/single copy,barrier/barrier,single copy/; s/(barrier|reduction),implicit barrier$/implicit barrier,\1/' found)
	differs=$(diff <(sort expected) <(echo "$kinds")) || fail "$compiler: constructs: $differs"
	# Members work or wait.
	regions $compiler.er | awk 'NR == FNR { waited[$1] = $3 / 1e9; next }
		/^(explicit_barrier|static_end|dynamic_end|sections_end|single_end) / {
			found++
			if ($6 < waited[$1] * .85 - .001) { print "waiting of " $0 ", by its own clock " waited[$1]; bad = 1 }
			if ($5 + $6 > 2 * $4 + .0025 || $5 + $6 < 2 * $4 * .85 - .0025) { print "work and waiting of " $0; bad = 1 } }
		END { exit bad || found != 5 }' out.$compiler - || fail "of $compiler"
	"$er_print" -printmode ';' -OMP_task $compiler.er | "$TESTS/tools/rows" | awk -F'\t' '
		$8 ~ /^in_tasks/ { found = 1; if ($5 < .019 || $5 > .030 || $4 > .002) { print "work and waiting of the task: " $4 ", " $5; bad = 1 } }
		END { exit bad || !found }' || fail "$compiler: the task that waits: $("$er_print" -OMP_task $compiler.er)"
done
# inclusive METRICS [OPTION...] EXPERIMENT: "FUNCTION VALUE..." of each function.
inclusive()
{
	"$er_print" -printmode ';' -metrics "i.${1//:/:i.}:name" "${@:2:$#-2}" -functions "${@:$#}" 2>/dev/null | "$TESTS/tools/rows" |
		awk -F'\t' '{ printf "%s", $NF; for (i = 1; i < NF; i++) printf " %s", $i; print "" }'
}
for compiler in $compilers; do
	inclusive ompebar:omplkwt:ompctwt:ompodwt:omprduc:omptskwt $compiler.er | awk -v compiler=$compiler '
		NR == FNR { own[$1] = $3 / 1e9; next }
		BEGIN {
			of["explicit_barrier"] = 2; of["lock"] = of["nest_lock"] = 3; of["critical"] = of["named"] = of["in_tasks"] = 4; of["ordered"] = 5; of["taskwait"] = 7
			if (compiler == "clang") of["copied"] = 6
		}
		NF == 7 && $1 in of {
			found++
			allowed = own[$1] * (compiler == "gcc" ? .15 : .6) + (compiler == "gcc" ? .001 : .005)
			if ($(of[$1]) - own[$1] > allowed || own[$1] - $(of[$1]) > allowed) { print "by its own clock " own[$1] ", metrics: " $0; bad = 1 } }
		END { for (i in of) wanted++; if (found != wanted) print found " of " wanted " functions"; exit bad || found != wanted }' <(sort out.$compiler) - || fail "metrics of $compiler"
	# A waiting thread is at what it waits at, called by who waits; the run-time's own functions are for machine mode.
	inclusive total -filters 'LEAF IN FNAME("<OMP-lock_wait>")' $compiler.er | awk '$1 == "lock" && NF == 2 { good = $2 > .006 && $2 < .02 } $1 == "critical" || $1 == "sleep_for" { other = 1 } END { exit !good || other }' ||
		fail "$compiler: leaves of locks: $(inclusive total -filters 'LEAF IN FNAME("<OMP-lock_wait>")' $compiler.er)"
	# Below the function that began a region is the time of both threads, with what they wait at its end.
	regions $compiler.er >by_events
	inclusive total $compiler.er | awk -v compiler=$compiler 'NR == FNR { elapsed[$1] = $4; next }
		NF == 2 && $1 in elapsed { found++; if (elapsed[$1] < .004) next
			if ($2 < elapsed[$1] * 2 * .85 - .0025 || $2 > elapsed[$1] * 2 * 1.15 + .0025) { print "below " $0 ", of two threads for " elapsed[$1]; bad = 1 } }
		END { exit bad || found < 15 }' by_events - || fail "$compiler: stacks at the ends of regions"
	inclusive total -filters 'LEAF IN FNAME("<OMP-implicit_barrier>")' $compiler.er | awk '
		$1 == "named" || $1 == "lock" { found++; if (NF != 2 || $2 < .001) bad = 1 } $1 ~ /^(clone3?|start_thread)$/ && $2 > 0 { bad = 1 } END { exit bad || found != 2 }' ||
		fail "$compiler: waits at the ends of regions: $(inclusive total -filters 'LEAF IN FNAME("<OMP-implicit_barrier>")' $compiler.er)"
	inclusive total -viewmode machine $compiler.er | grep -q '^<OMP' && fail "$compiler: machine mode has waits"
	inclusive total:ompwork:ompwait $compiler.er | awk '$1 == "<Total>" { found = $3 > 0 && $4 > 0 && $3 + $4 - $2 < .0021 && $2 - $3 - $4 < .0021; print } END { exit !found }' >sums ||
		fail "$compiler: work and wait are not all: $(cat sums)"
	for filter in 'CPRID==1' 'PARREG==1 && OMPSTATE==4'; do
		inclusive total -filters "$filter" $compiler.er | awk 'NF == 2 { time[$1] = $2 } END { exit !(time["explicit_barrier"] > .008 && time["explicit_barrier"] > time["<Total>"] * .9 && !time["critical"]) }' ||
			fail "$compiler: $filter: $(inclusive total -filters "$filter" $compiler.er)"
	done
	inclusive total -filters 'TSKID && OMPSTATE==9' $compiler.er | awk '$1 == "in_tasks" && NF == 2 { good = $2 > .01 && $2 < .035 } $1 == "critical" { other = 1 } END { exit !good || other }' ||
		fail "$compiler: a task's waiting: $(inclusive total -filters 'TSKID && OMPSTATE==9' $compiler.er)"
done
# A function of gcc's that ends by a jump to what waits is not on the stack, and is said to wait all the same.
gcc -O2 -g -w -fopenmp -o last "$TESTS/programs/openmp/last_waits.c" && timeout 20 "$collect" -p hi -O said -o last.er ./last || fail "last ended with $?"
waits last.er | awk '
	$1 == "barrier_last" && $4 == "barrier" && $2 == 6 || $1 == "lock_last" && $2 == 15 && $4 == "lock,barrier,taskwait" { found++; if ($3 < .0299 || $3 > .0375) bad = 1 }
	END { exit bad || found != 2 }' || fail "waits of functions that end with them: $(waits last.er)"
for leaf in explicit_barrier lock_wait; do
	inclusive total -filters "LEAF IN FNAME(\"<OMP-$leaf>\")" last.er >leaves
	awk -v by=$([ $leaf = lock_wait ] && echo lock_last || echo barrier_last) '
		$1 == by && NF > 2 { wanted = $NF > .0255 && $NF < .0345 } END { exit !wanted }' leaves || fail "leaves of functions that end with waits: $(cat leaves)"
done
# Each metric has pictures; of ompovhd, the begins of teams, there is too little here.
"$TESTS/tools/picture_kinds.py" "$er_print" gcc.er ./waits.gcc ompwork ompwait ompserl ompibar ompebar omprduc omplkwt ompctwt ompodwt omptskwt ompidle ||
	fail "the pictures"
printf '#include <unistd.h>\nint main(void)\n{\n#pragma omp parallel num_threads(2)\nusleep(1000);\n}\n' >none.c
gcc -fopenmp -o none none.c && timeout 20 "$collect" -O said -o none.er ./none || fail "none ended with $?"
same "no waits" "No waits of OpenMP were recorded" "$("$er_print" -OMP_wait none.er 2>&1 | sed -n 's/.*\(No waits of OpenMP.*\)/\1/p')"
verdict
