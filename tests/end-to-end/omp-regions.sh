#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Parallel regions of libgomp, of each function that runs one, and of libomp: calls and members exactly, time, work and waiting within 15 % of
# what the program measured itself; in C and Fortran, nested, and left by exit and kill.
# measures the time of regions
. "$TESTS/end-to-end/openmp.bash"
programs=$TESTS/programs/openmp
gcc -O2 -g -fopenmp -o regions.gcc "$programs/regions.c" || exit 1
compilers=gcc
has_libomp && clang -O2 -g -fopenmp -o regions.clang "$programs/regions.c" && compilers+=" clang"
# Each function of the table is called by the program.
missing=$(comm -23 <(grep -vE '^(TASK|WAIT|DOACROSS_WAIT)' "$TESTS/../libcollector/kinds/openmp/libgomp.def" | sed -nE 's/^[A-Z]+\((GOMP_[a-z_]+),.*/\1/p' | sort) \
	<(nm -D --undefined-only regions.gcc | sed -n 's/.* \(GOMP_[a-z_]*\)@.*/\1/p' | sort))
[ -z "$missing" ] || fail "regions.c calls none of:" $missing
line=$(grep -n '/\* plain \*/' "$programs/regions.c" | cut -d : -f 1)
for compiler in $compilers; do
	"$collect" -O said -o $compiler.er ./regions.$compiler >out 2>err || { cat said err; exit 1; }
	grep -q wrong out && fail "$compiler: $(cat out)"
	sort out >counted
	regions $compiler.er >found
	same "$compiler: functions, calls and members" "$(cut -d ' ' -f 1-3 counted | xargs)" "$(cut -d ' ' -f 1-3 found | xargs)"
	# 15 % and, for what begins and ends a region, 2 ms a call. Whoever works alone does not wait.
	paste -d ' ' counted found | awk '
		function near(own, other, calls) { return other - own < own * .15 + calls * .002 && own - other < own * .15 + calls * .002 }
		{ for (i = 4; i <= 6; i++)
			if (!near($i / 1e9, $(i + 6), $2)) { print "by its own clock, and found: " $0; bad = 1 } }
		END { exit bad }' || fail "of $compiler"
	"$er_print" -OMP_preg $compiler.er >report
	# The first instruction of a function may be that of the next line.
	grep -qE "plain -- OMP parallel region from line ($line|$((line + 1)))( \[plain._omp_fn.0\])?\$" report || fail "no region of plain's line $line: $(cat report)"
	# Members sleep for 5 and 10 ms, and 5, 10 and 15: three and two times. The longest over the mean is (30 + 30) / (22.5 + 20).
	imbalance=$("$er_print" -printmode ';' -OMP_preg $compiler.er | "$TESTS/tools/rows" | awk -F'\t' '$7 ~ /^plain/ { print $6 }')
	awk -v found="$imbalance" 'BEGIN { exit !(found > 1.412 * .95 && found < 1.412 * 1.05) }' || fail "$compiler: imbalance of plain: $imbalance"
done

cat >nested.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void inner(void)
{
#pragma omp parallel num_threads(3)
	usleep(1000);
}
static void outer(void)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 4; i++)
		inner();
}
static void league(void)
{
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp parallel num_threads(2)
	usleep(1000);
}
static void leave(const char *how)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		usleep(20000);
		if (!strcmp(how, "exit"))
			exit(3);
		kill(getpid(), SIGKILL);
	} else {
		usleep(2000000);
	}
}
int main(int argc, char **argv)
{
	omp_set_max_active_levels(2);
	if (argc > 1)
		leave(argv[1]);
	outer();
	league();
	if (fork() == 0) { /* the child of one that has used threads can have regions of one */
#pragma omp parallel num_threads(1)
		usleep(1000);
		_exit(0);
	}
	wait(0);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1 && fork() == 0)
		_exit(0);
	wait(0);
	return 0;
}
C
if has_libomp; then
	clang -O1 -g -include signal.h -fopenmp -o nested nested.c || exit 1
	KMP_TEAMS_THREAD_LIMIT=8 timeout 20 "$collect" -O said -o llvm.er ./nested || fail "nested by clang ended with $?"
	same "nested regions by clang" ".omp_outlined._debug__.N 2 4 inner 8 24 main 1 1 main 1 2 outer 1 2" "$(regions llvm.er | cut -d ' ' -f 1-3 | sed 's/__[.0-9]* /__.N /' | xargs)"
	same "the child's by clang" "main 1 1" "$(regions llvm.er/_f1.er | cut -d ' ' -f 1-3 | xargs)"
fi
gcc -O1 -g -include signal.h -fopenmp -o nested nested.c || exit 1
timeout 20 "$collect" -O said -o nested.er ./nested || fail "nested ended with $?"
same "nested regions" "inner 8 24 league 2 4 main 1 1 main 1 2 outer 1 2" "$(regions nested.er | cut -d ' ' -f 1-3 | xargs)"
same "the child's" "main 1 1" "$(regions nested.er/_f1.er | cut -d ' ' -f 1-3 | xargs)"
same "thread 1's" "inner 4 4 league 2 2 main 1 1 main 1 1 outer 1 1" "$(regions -thread_select 1 nested.er | cut -d ' ' -f 1-3 | xargs)"
timeout 20 "$collect" -O said -o exit.er ./nested exit
same "exit in a region" "3 leave 1 2" "$? $(regions exit.er | cut -d ' ' -f 1-3)"
timeout 20 "$collect" -O said -o kill.er ./nested kill
same "kill in a region" "137 leave 1 2" "$? $(regions kill.er | cut -d ' ' -f 1-3)"
for how in exit kill; do
	"$er_print" -OMP_preg $how.er >report
	grep -q '^1 call had not ended when recording did$' report || fail "$how: $(cat report)"
done

"$collect" -u off -O said -o off.er ./nested || fail "-u off ended with $?"
[ -e off.er/openmp.events ] && fail "-u off has a file"
"$er_print" -OMP_preg off.er >report 2>&1 && fail "no regions are no error"
grep -q 'No parallel regions of OpenMP were recorded: collect -u on records them$' report || fail "$(cat report)"
"$collect" -p off -O said -o on.er ./nested && [ ! -e on.er/openmp.events ] || fail "-p off has regions"
"$collect" -p off -u on -O said -o only.er ./nested
same "-u on" "inner 8 24 league 2 4 main 1 1 main 1 2 outer 1 2" "$(regions only.er | cut -d ' ' -f 1-3 | xargs)"

if command -v gfortran >/dev/null; then
	cat >loops.f90 <<'F'
program loops
  integer :: i
  do i = 1, 3
    call sum_up(i)
  end do
contains
  subroutine sum_up(n)
    integer, intent(in) :: n
    integer :: i
    real :: x
    x = 0
    !$omp parallel do reduction(+:x) num_threads(n)
    do i = 1, 1000
      x = x + i
    end do
    if (abs(x - 500500) > 1) stop 1
  end subroutine
end program
F
	gfortran -O2 -g -fopenmp -o loops loops.f90 || exit 1
	"$collect" -O said -o loops.er ./loops || fail "loops ended with $?"
	same "Fortran" "3 6" "$(regions loops.er | cut -d ' ' -f 2-3)"
	"$er_print" -OMP_preg loops.er | grep -q 'sum_up.*-- OMP parallel region from line 12 ' || fail "Fortran: $("$er_print" -OMP_preg loops.er)"
fi
verdict
