#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tasks of libgomp and libomp, of each kind: how many ran exactly, their time within 15 % of what the program measured itself, with
# their data as without us; and tasks in the barrier at a region's end, which are work.
# measures the time of tasks
. "$TESTS/end-to-end/openmp.bash"
programs=$TESTS/programs/openmp
build() # COMPILER NAME SOURCE
{
	$1 -O1 -g -w -fno-optimize-sibling-calls -fopenmp -o $2.$1 "$3"
}
build gcc tasks "$programs/tasks.c" || exit 1
compilers=gcc
has_libomp && build clang tasks "$programs/tasks.c" && compilers+=" clang"
missing=$(comm -23 <(sed -nE 's/^TASK\((GOMP_[a-z_]+),.*/\1/p' "$TESTS/../libcollector/kinds/openmp/libgomp.def" | sort) \
	<(nm -D --undefined-only tasks.gcc | sed -n 's/.* \(GOMP_[a-z_]*\)@.*/\1/p' | sort))
[ -z "$missing" ] || fail "tasks.c calls none of:" $missing
export OMP_CANCELLATION=true
# tasks EXPERIMENT: "FUNCTION TASKS TIME" of each function that creates any, times in seconds.
tasks()
{
	"$er_print" -printmode ';' -OMP_task "$1" | "$TESTS/tools/rows" | awk -F'\t' '
		$8 != "<Total>" { split($8, name, "[ ,]"); tasks[name[1]] += $1; time[name[1]] += $3 }
		END { for (i in tasks) printf "%s %d %.6f\n", i, tasks[i], time[i] }' | sort
}
for compiler in $compilers; do
	timeout 20 "$collect" -O said -o $compiler.er ./tasks.$compiler >out || fail "tasks.$compiler ended with $?"
	grep wrong out && fail "$compiler: wrong results"
	# libomp begins tasks that were cancelled, and does not run them.
	[ $compiler = clang ] && sed -i 's/^cancelled 1 /cancelled 4 /' out
	sort out >counted
	tasks $compiler.er >found
	same "$compiler: functions and tasks" "$(cut -d ' ' -f 1-2 counted | xargs)" "$(cut -d ' ' -f 1-2 found | xargs)"
	paste -d ' ' counted found | awk '
		{ own = $3 / 1e9; if ($6 - own > own * .15 + $2 * .001 || own - $6 > own * .15 + $2 * .001) { print "by its own clock, and found: " $0; bad = 1 } }
		END { exit bad }' || fail "of $compiler"
	"$er_print" -OMP_task $compiler.er >report
	line=$(grep -n '#pragma omp task untied' "$programs/tasks.c" | cut -d : -f 1)
	grep -qE "untied -- OMP task from line ($line|$((line + 1)))( \[untied._omp_fn.[0-9]\])?\$" report || fail "no task of untied's line $line: $(cat report)"
done

# One member creates tasks and ends its work; all 8 * 10 ms are done after that, by both. What is left of the region's time is waiting.
cat >late.c <<'C'
#include <time.h>
static void late(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single nowait
	for (int i = 0; i < 8; i++)
#pragma omp task
	{
		struct timespec t = {0, 10000000};
		nanosleep(&t, 0);
	}
}
/* A task that the last member runs while the other one waits. */
static void lonely(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single nowait
#pragma omp task
	{
		struct timespec t = {0, 40000000};
		nanosleep(&t, 0);
	}
}
int main(void)
{
	late();
	lonely();
	return 0;
}
C
for compiler in $compilers; do
	build $compiler late late.c && timeout 20 "$collect" -O said -o late.$compiler.er ./late.$compiler || fail "late.$compiler ended with $?"
	regions late.$compiler.er >found
	awk -v compiler=$compiler '
		function near(what, expected, found) { if (found - expected > .012 || expected - found > .012) { print compiler ": " what ": expected " expected ", found " found; bad = 1 } }
		$1 == "late" { near("work of late", .08, $5); near("wait of late", 2 * $4 - .08, $6) }
		$1 == "lonely" { near("time of lonely", .04, $4); near("work of lonely", .04, $5); near("wait of lonely", .04, $6) }
		END { exit bad }' found || fail "$(cat found)"
	# The one member has it all: 40 over 20.
	imbalance=$("$er_print" -printmode ';' -OMP_preg late.$compiler.er | "$TESTS/tools/rows" | awk -F'\t' '$7 ~ /^lonely/ { print $6 }')
	awk -v found="$imbalance" 'BEGIN { exit !(found > 1.9 && found < 2.1) }' || fail "$compiler: imbalance of lonely: $imbalance"
done

# More different stacks than are kept: every task is there, with its time below main, and it is said how many stand elsewhere.
cat >deep.c <<'C'
static __attribute__((noinline)) void spin(void)
{
	for (volatile int i = 0; i < 300; i++)
		;
}
static __attribute__((noinline)) void tree(int depth)
{
	if (depth == 0) {
		spin();
		return;
	}
#pragma omp task
	tree(depth - 1);
#pragma omp task
	tree(depth - 1);
#pragma omp taskwait
}
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	tree(17);
	return 0;
}
C
for compiler in $compilers; do
	build $compiler deep deep.c && timeout 20 "$collect" -p hi -O said -o deep.$compiler.er ./deep.$compiler || fail "deep.$compiler ended with $?"
	same "$compiler: tasks of deep" "tree 262142" "$(tasks deep.$compiler.er | cut -d ' ' -f 1-2)"
	"$er_print" -header deep.$compiler.er >header
	grep -qE "^ +[1-9][0-9]{4,5}  tasks of OpenMP whose creation's stack was not kept" header || fail "$compiler: deep: $(cat header)"
	[ "$(stat -c %s deep.$compiler.er/stacks)" -lt 12000000 ] || fail "$compiler: deep has $(stat -c %s deep.$compiler.er/stacks) bytes of stacks"
	share=$("$er_print" -name short -folded - deep.$compiler.er | awk '{ all += $NF } / [0-9.]+$/ && /;main;.*;tree/ { in_main += $NF } END { print int(100 * in_main / all) }')
	[ "$share" -ge 85 ] || fail "$compiler: $share % of deep's time is below main and tree"
done

# The stack is the program's: tasks inside of tasks take three quarters of it, and nothing is written where a call has its arguments, above
# which the caller has its own.
cat >nest.c <<'C'
#include <stdio.h>
/* A chain of tasks, each inside of the one before: as many wait as the run-time lets wait. */
static long chain(int depth)
{
	long part[4];
	for (int i = 0; i < 4 && depth; i++)
#pragma omp task shared(part) firstprivate(i)
		part[i] = i == 3 ? chain(depth - 1) : 1;
#pragma omp taskwait
	return depth ? 1 + part[0] + part[1] + part[2] + part[3] : 1;
}
int main(void)
{
	for (int i = 0; i < 5; i++) {
		long sum;
#pragma omp parallel num_threads(2)
#pragma omp single
		sum = chain(12000);
		if (sum != 1 + 4 * 12000)
			printf("wrong sum %ld\n", sum);
	}
}
C
build gcc nest nest.c
if ./nest.gcc; then
	[ "$("$collect" -O said -o nest.er ./nest.gcc; echo $?)" = 0 ] || fail "tasks inside of tasks: $(cat said)"
	"$er_print" -header nest.er >header
	grep -qE "^ +[1-9][0-9]+  tasks of OpenMP left out because their thread's stack was deep" header || fail "nest: $(cat header)"
fi
if [ "$(uname -m)" = x86_64 ]; then
	cat >args.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
static long sum;
static void body(void *data)
{
#pragma omp atomic
	sum += *(long *)data;
}
/* Calls with a stack whose words of arguments cannot be written. */
static void create(char *arguments, long value)
{
	register long deferred __asm__("r9") = 1, align __asm__("r8") = 8;
	void *function = (void *)body, *data = &value;
	long no_copy = 0, size = sizeof value;
	__asm__ volatile("mov %%rsp, %%rbx\n"
			 "mov %[arguments], %%rsp\n"
			 "call GOMP_task\n"
			 "mov %%rbx, %%rsp\n"
			 : "+D"(function), "+S"(data), "+d"(no_copy), "+c"(size), "+r"(align), "+r"(deferred)
			 : [arguments] "r"(arguments)
			 : "rax", "rbx", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
}
int main(void)
{
	char *stack = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *arguments = stack + (1 << 20) - 4096; /* all 0: flags, dependences, priority, event */
	mprotect(arguments, 4096, PROT_READ);
	create(arguments, 1);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 1000; i++)
		create(arguments, 2);
	printf("%ld\n", sum);
}
C
	build gcc args args.c
	same "arguments that cannot be written" 2001 "$("$collect" -O said -o args.er ./args.gcc)"
	same "tasks of args" "body 1000" "$(tasks args.er | cut -d ' ' -f 1-2)"
fi

# Nothing where there are none, and why.
printf 'int main(void)\n{\n#pragma omp parallel num_threads(2)\n\t;\n}\n' >none.c
gcc -fopenmp -o none none.c && "$collect" -O said -o none.er ./none
same "no tasks" "No tasks of OpenMP were recorded" "$("$er_print" -OMP_task none.er 2>&1 | sed -n 's/.*\(No tasks of OpenMP.*\)/\1/p')"
verdict
