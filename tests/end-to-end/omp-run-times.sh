#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Weak references to OpenMP's functions stay null where no run-time is loaded, and libraries that a program opens keep their own
# run-times: two of them in one process, whose functions must not be mixed.
. "$TESTS/end-to-end/openmp.bash"
cat >weak.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int omp_get_num_threads(void) __attribute__((weak));
void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned) __attribute__((weak));
int main(void)
{
	printf("%d %d %d\n", omp_get_num_threads != 0, GOMP_parallel != 0, dlsym(RTLD_DEFAULT, "GOMP_parallel") != 0);
}
C
gcc -o weak weak.c -ldl && gcc -shared -fPIC -Dmain=ask -o libweak.so weak.c || exit 1
printf 'int ask(void);\nint main(void)\n{\n\treturn ask() < 0;\n}\n' >asks.c
gcc -o asks asks.c -L. -lweak -Wl,-rpath,"$PWD" || exit 1
for program in weak asks; do
	same "$program" "0 0 0" "$("$collect" -O said -o $program.er ./$program)"
	[ -e $program.er/openmp.events ] && fail "$program has a file of OpenMP's events"
done

# Another run-time: libgomp under another name.
library=$(gcc -print-file-name=libgomp.so)
LC_ALL=C sed 's/libgomp\.so\.1/libgomq.so.1/g' "$library" >libgomq.so.1 || exit 1
cat >plugin.c <<'C'
#include <omp.h>
int run(int threads)
{
	int members = 0, sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members, sum)
	{
		members = omp_get_num_threads();
		sum = omp_get_thread_num();
	}
	return members * 100 + sum;
}
C
gcc -O1 -g -fopenmp -fPIC -shared -o libone.so plugin.c || exit 1
gcc -O1 -g -fopenmp -fPIC -c plugin.c && gcc -shared -o libother.so plugin.o "$PWD/libgomq.so.1" -Wl,-rpath,"$PWD" || exit 1
cat >opens.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#ifdef OWN
#include <omp.h>
#endif
int main(void)
{
	static const char *const names[] = {"./libone.so", "./libother.so"};
	int (*run[2])(int);
	for (int i = 0; i < 2; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		run[i] = (int (*)(int))dlsym(library, "run");
	}
	for (int i = 0; i < 4; i++)
		printf("%d ", run[i % 2](2 + i));
#ifdef OWN
	int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
	members++;
	printf("%d ", members);
#endif
	puts("");
}
C
gcc -O1 -g -o opens opens.c -ldl && gcc -O1 -g -DOWN -fopenmp -o owns opens.c -ldl || exit 1
declare -A expected=([opens]="401 903 1606 2510 " [owns]="401 903 1606 2510 2 ")
declare -A recorded=([opens]="run 2 6 run 2 8" [owns]="main 1 2 run 2 6 run 2 8")
for program in opens owns; do
	same "$program alone" "${expected[$program]}" "$(./$program)"
	same "$program" "${expected[$program]}" "$("$collect" -O said -o $program.er ./$program)"
	same "$program: regions" "${recorded[$program]}" "$(regions $program.er | cut -d ' ' -f 1-3 | xargs)"
done
# A library is opened where another one was, which used the other run-time. Those themselves cannot be closed.
cat >again.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL);
	dlopen("./libgomq.so.1", RTLD_NOW | RTLD_LOCAL);
	for (int i = 0; i < 6; i++) {
		void *library = dlopen(i % 2 ? "./libone.so" : "./libother.so", RTLD_NOW | RTLD_LOCAL);
		printf("%d ", ((int (*)(int))dlsym(library, "run"))(2));
		dlclose(library);
	}
	puts("");
}
C
gcc -O1 -g -o again again.c -ldl || exit 1
same "again alone" "401 401 401 401 401 401 " "$(./again)"
same again "401 401 401 401 401 401 " "$("$collect" -O said -o again.er ./again)"
same "again: calls" 6 "$(regions again.er | awk '{ calls += $2 } END { print calls }')"
# So it is in a fork child that opens them itself.
cat >child.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (fork() == 0) {
		for (int i = 0; i < 6; i++) {
			void *library = dlopen(i % 2 ? "./libone.so" : "./libother.so", RTLD_NOW | RTLD_LOCAL);
			printf("%d ", ((int (*)(int))dlsym(library, "run"))(2));
		}
		puts("");
		exit(0);
	}
	wait(0);
}
C
gcc -O1 -g -o child child.c -ldl || exit 1
same child "401 401 401 401 401 401 " "$("$collect" -O said -o child.er ./child)"
same "the child's calls" "run 3 6 run 3 6" "$(regions child.er/_f1.er | cut -d ' ' -f 1-3 | xargs)"

# A run-time that has an interface for tools, and libgomp's functions as well: each region is counted once. Other tools keep theirs.
if has_libomp; then
	cat >loop.c <<'C'
#include <stdio.h>
int main(void)
{
	int members = 0;
	for (int i = 0; i < 5; i++)
#pragma omp parallel num_threads(3) reduction(+ : members)
		members++;
	printf("%d\n", members);
}
C
	gcc -O1 -g -fopenmp -o loop loop.c && clang -O1 -g -fopenmp -o told loop.c || exit 1
	mkdir other
	ln -s "$(ldd ./told | sed -n 's/.*libomp[^ ]* => \([^ ]*\).*/\1/p')" other/libgomp.so.1
	same "gcc's program on libomp" 15 "$(LD_LIBRARY_PATH=other "$collect" -O said -o other.er ./loop)"
	same "gcc's on libomp: regions" "main 5 15" "$(regions other.er | cut -d ' ' -f 1-3)"
	cat >tool.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int start(void *lookup, int device, void *data)
{
	puts("another tool");
	return 1;
}
static void end(void *data)
{
}
static struct {
	void *start, *end;
	long data;
} tool = {start, end};
void *ompt_start_tool(unsigned version, const char *run_time)
{
	return &tool;
}
C
	gcc -shared -fPIC -o libtool.so tool.c && clang -g -fopenmp -o owns_tool loop.c tool.c || exit 1
	same "a tool by its variable" "another tool 15" "$(OMP_TOOL_LIBRARIES=$PWD/libtool.so "$collect" -O said -o variable.er ./told | xargs)"
	same "a tool preloaded" "another tool 15" "$(LD_PRELOAD=$PWD/libtool.so "$collect" -O said -o preloaded.er ./told | xargs)"
	same "a tool of the program" "another tool 15" "$("$collect" -O said -o own.er ./owns_tool | xargs)"
	same "no tool" 15 "$(OMP_TOOL=disabled "$collect" -O said -o disabled.er ./told)"
	same "not recorded" 15 "$("$collect" -u off -O said -o off.er ./told)"
	for other in variable preloaded; do
		"$er_print" -header $other.er | grep -q 'regions of OpenMP are not recorded: the program has another tool for them' || fail "$other: nothing is said"
	done
	for other in variable preloaded own disabled off; do
		[ -e $other.er/openmp.events ] && fail "$other: there are events"
	done
	same "libomp: regions" "main 5 15" "$("$collect" -O said -o told.er ./told >out; regions told.er | cut -d ' ' -f 1-3)"
fi
# A run-time that is part of the program is in nobody's reach, which is said.
archive=$(gcc -print-file-name=libgomp.a)
if [ -e "$archive" ]; then
	cat >inside.c <<'C'
#include <time.h>
int main(void)
{
	int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
	members++;
	while (clock() < CLOCKS_PER_SEC / 10)
		;
	return members;
}
C
	gcc -O1 -g -fopenmp -c inside.c && gcc -o inside inside.o "$archive" -ldl -lpthread || exit 1
	"$collect" -O said -o inside.er ./inside
	same "a program with a run-time in it" 2 $?
	said=$("$er_print" -OMP_preg inside.er 2>&1)
	grep -q 'were recorded: <inside> has libgomp linked statically' <<<"$said" || fail "inside: $said"
fi
verdict
