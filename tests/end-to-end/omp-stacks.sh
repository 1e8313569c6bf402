#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Call trees of programs with parallel regions are those of the same programs built without OpenMP, by gcc, clang and gfortran, if the
# regions' own functions are left out; by thread in the machine's view.
# measures shares of CPU time
. "$TESTS/end-to-end/openmp.bash"

cat >nest.c <<'C'
#include <stdio.h>
#include <time.h>
#define HIDDEN __attribute__((noinline))
static volatile double sink;
/* Milliseconds of the thread's CPU time, however fast it is. */
static HIDDEN void work(long n)
{
	struct timespec begun, now;
	double sum = 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
	do {
		for (long i = 0; i < 50000; i++)
			sum += (double)i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begun.tv_sec) * 1000000000l + now.tv_nsec - begun.tv_nsec < n * 1000000);
	sink = sum;
}
static HIDDEN void deep(int n)
{
	if (n)
		deep(n - 1);
	else
		work(40);
	sink += 1;
}
static HIDDEN void inner(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 2; i++)
		work(20);
}
static HIDDEN void outer(void)
{
#pragma omp parallel for num_threads(2) schedule(static)
	for (int i = 0; i < 2; i++)
		inner();
}
static HIDDEN void loop(void)
{
#pragma omp parallel for num_threads(3) schedule(dynamic)
	for (int i = 0; i < 4; i++)
		work(20);
#pragma omp parallel num_threads(2)
#pragma omp single
	deep(100);
}
static HIDDEN void branch(int n)
{
	if (n == 0) {
		work(20);
		return;
	}
#pragma omp task
	branch(n - 1);
#pragma omp task
	branch(n - 1);
#pragma omp taskwait
}
static HIDDEN void tasks(int deferred)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		branch(2);
#pragma omp taskloop num_tasks(2) if (deferred)
		for (int i = 0; i < 2; i++)
			work(20);
	}
}
int main(void)
{
	for (int i = 0; i < 2; i++)
		loop();
	outer();
	tasks(1);
	work(40);
	return 0;
}
C
cat >nest.f90 <<'F'
program nest
  real(8) :: total
  total = 0
  call loop(total)
  call tasks(total)
  if (total < 0) print *, total
contains
  subroutine work(n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    integer(8) :: i
    s = 0
    do i = 1, n * 1000000_8
      s = s + i
    end do
  end subroutine
  subroutine tasks(total)
    real(8), intent(inout) :: total
    real(8) :: s
    integer :: i
    !$omp parallel num_threads(2) private(i)
    !$omp single
    do i = 1, 2
      !$omp task private(s)
      call work(30, s)
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    total = total + 1
  end subroutine
  subroutine loop(total)
    real(8), intent(inout) :: total
    real(8) :: s
    integer :: i
    !$omp parallel do num_threads(3) private(s) reduction(+:total)
    do i = 1, 6
      call work(30, s)
      total = total + s
    end do
  end subroutine
end program
F
# tree EXPERIMENT: "PATH SHARE" of each call path from main on with 4 % or more of main's time, without the functions of regions and tasks and waiting in
# the run-time. Calls of a function by itself are one.
tree()
{
	"$er_print" -name short -viewmode user -sort e.totalcpu -folded - "$1" | awk '
		$0 !~ /;main;|;MAIN__;/ || /<lib(gomp|omp)|<OMP-/ { next }
		{ value = $NF; sub(/ [0-9.]+$/, ""); n = split($0, frames, ";"); path = ""
		  for (i = 1; i <= n; i++) {
			sub(/\.[0-9]+$/, "", frames[i])
			if (frames[i] ~ /OMP (parallel region|task)|^clock_gettime/) continue
			if (frames[i] == "main" || frames[i] == "MAIN__") path = ""
			if (path "/" !~ "/" frames[i] "/$") { path = path "/" frames[i]; time[path] += value } }
		  total += value }
		END { for (path in time) if (path ~ /^\/(main|MAIN__)/ && time[path] > total / 25) printf "%s %.4f\n", path, time[path] / total }' | sort
}
# nest.c asks for work(20) eight times, deep's work(40) twice, work(20) four times, and six times in tasks, and work(40) once.
cat >asked <<'E'
/main 1
/main/loop .5000
/main/loop/deep .1667
/main/loop/deep/work .1667
/main/loop/work .3333
/main/outer .1667
/main/outer/inner .1667
/main/outer/inner/work .1667
/main/tasks .2500
/main/tasks/branch .1667
/main/tasks/branch/work .1667
/main/tasks/work .0833
/main/work .0833
E
# The share of each path differs by 6 % of all at most.
shares() # COMPILER
{
	paste -d ' ' asked parallel | awk '{ if ($1 != $3 || $2 - $4 > .06 || $4 - $2 > .06) { print; bad = 1 } } END { exit bad }' || fail "$1: other shares"
}
build_and_compare() # COMPILER SOURCE
{
	$1 -O1 -g -w -o serial.$1 "$2" && $1 -O1 -g -w -fopenmp -o parallel.$1 "$2" || exit 1
	for how in serial parallel; do
		OMP_MAX_ACTIVE_LEVELS=2 timeout 20 "$collect" -p hi -O said -o $how.$1.er ./$how.$1 || fail "$how.$1 ended with $?"
		tree $how.$1.er >$how
	done
	same "$1: call paths" "$(cut -d ' ' -f 1 serial | xargs)" "$(cut -d ' ' -f 1 parallel | xargs)"
	[ $2 = nest.f90 ] || shares $1
}
compilers=gcc
build_and_compare gcc nest.c
has_libomp && compilers+=" clang" && build_and_compare clang nest.c
command -v gfortran >/dev/null && build_and_compare gfortran nest.f90
# By thread: all that the workers did began in their own starts, which the joined stacks do not have.
for compiler in $compilers; do
	"$er_print" -viewmode machine -folded - parallel.$compiler.er >machine
	grep -q '^clone3\{0,1\};.*;work ' machine || fail "$compiler: no worker's work in the machine's view: $(cat machine)"
	"$er_print" -folded - parallel.$compiler.er | grep -q 'clone.*;work ' && fail "$compiler: work hangs from a thread's start"
	# Filters tell the two stacks of an event apart, too: USTACK has main in all, MSTACK in the first thread alone.
	for stack in USTACK MSTACK; do
		"$er_print" -printmode ';' -filters "(FNAME(\"work\") IN LEAF) && (FNAME(\"main\") SOME IN $stack)" -threads parallel.$compiler.er |
			"$TESTS/tools/rows" | grep -c . >$stack
	done
	[ "$(cat USTACK)" -gt "$(cat MSTACK)" ] || fail "$compiler: filters by USTACK $(cat USTACK), by MSTACK $(cat MSTACK) rows"
done
# The names of regions, in all of their forms, and the source of one by its name.
name="loop -- OMP parallel region from line $(grep -n 'schedule(dynamic)' nest.c | cut -d : -f 1) [loop._omp_fn.0]"
"$er_print" -functions parallel.gcc.er | grep -F -e "$name" >/dev/null || fail "no $name: $("$er_print" -functions parallel.gcc.er)"
"$er_print" -name mangled -functions parallel.gcc.er | grep -q ' loop\._omp_fn\.0$' || fail "mangled: $("$er_print" -name mangled -functions parallel.gcc.er)"
for called in "$name" loop._omp_fn.0; do
	"$er_print" -source "$called" parallel.gcc.er | grep -q 'work(20);' || fail "no source of $called"
done
# Without symbols a region's function is known by what calls it.
strip -o stripped parallel.gcc
OMP_MAX_ACTIVE_LEVELS=2 timeout 20 "$collect" -O said -o stripped.er ./stripped || fail "stripped ended with $?"
"$er_print" -functions stripped.er | grep -q ' <static>@0x[0-9a-f]* (<stripped>) -- OMP parallel region \[<static>@0x[0-9a-f]* (<stripped>)\]$' ||
	fail "stripped: $("$er_print" -functions stripped.er)"
verdict
