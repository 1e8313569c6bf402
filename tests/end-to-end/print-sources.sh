#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Annotated source of functions whose code is in several parts, and of those that no event hit; a source that is newer than its
# binary, or is not there, is said so once.
set -eu
er_print=$BUILD/bin/er_print
cat >prog.cc <<'END'
#include <cstdio>
#include <stdexcept>
static volatile unsigned long sink;
namespace ns {
__attribute__((noinline)) int thrower(int n)
{
	for (int i = 0; i < 1000; i++)
		sink += i;
	if (n > 0)
		throw std::runtime_error("x");
	return n;
}
__attribute__((noinline)) void unused(int n)
{
	if (n > 5)
		printf("five %d\n", n);
}
}
__attribute__((noinline)) static void leak_here() { sink++; }
int main(int argc, char **)
{
	for (int i = 0; i < 60000; i++)
		try {
			ns::thrower(i % 50 == 0);
		} catch (std::exception &) {
			sink++;
		}
	if (argc > 1)
		ns::unused(argc), leak_here();
}
END
for compiler in g++ clang++; do
	touch -d '1 minute ago' prog.cc
	$compiler -g -O2 prog.cc -o prog
	"$BUILD/bin/collect" -p hi -O collect.said -o $compiler.er ./prog
	[ $compiler != g++ ] || nm -C prog | grep -qF 'ns::thrower(int) [clone .cold]' # what this is about
	for name in 'ns::thrower(int)' 'ns::unused(int)' leak_here 'leak_here()' ns::unused; do
		"$er_print" -source "$name" $compiler.er >shown 2>err
		[ ! -s err ]
		grep -qx "Source file: $PWD/prog.cc" shown
		grep -qx 'Object file: prog' shown
		for index in 'ns::thrower(int)' 'ns::unused(int)' 'leak_here()' main; do
			[ "$(grep -cxF "$(printf '%*s<Function: %s>' 40 '' "$index")" shown)" -eq 1 ] || { cat shown; exit 1; }
		done
		grep -q 'newer' shown && exit 1
		grep -qE ' 17\. \}$' shown
	done
	# Changed since it was built: said once in source and disasm.
	touch -d '1 hour' prog.cc
	for command in source disasm; do
		"$er_print" -$command 'ns::thrower(int)' $compiler.er >shown
		[ "$(grep -cxF '*** Warning: the source file is newer than the load object: its lines may not be those of the code' shown)" -eq 1 ]
	done
	# Gone: no numbered lines without text but those with metrics.
	mv prog.cc gone
	"$er_print" -metrics e.totalcpu -disasm 'ns::thrower(int)' $compiler.er >shown
	[ "$(grep -c 'not found' shown)" -eq 1 ] && grep -qx "Source file: $PWD/prog.cc (not found)" shown || exit 1
	grep -qE '^ +[0-9]+\. *$' shown && exit 1
	grep -qE '\[ [78]\] +[0-9a-f]+:  [a-z]+ ' shown
	"$er_print" -metrics e.totalcpu -source 'ns::thrower(int)' $compiler.er >shown
	[ "$(grep -c 'not found' shown)" -eq 1 ]
	grep -qE ' (16|17|19)\. *$' shown && exit 1
	grep -qE '^(##)? *0\.[0-9]{3} +[78]\. *$' shown
	mv gone prog.cc
done
