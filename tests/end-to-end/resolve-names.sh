#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inlined C++ functions without a linkage name have their whole names: those that nm -C gives of a build without inlining. A
# function that also has a copy of its own is one row.
set -u
er_print=$BUILD/bin/er_print
source=$TESTS/programs/whole_names.cc
fail()
{
	echo "$*"
	exit 1
}
# names: lines that name one of the functions to be found, sorted, each once.
names()
{
	grep -E 'marked|lambda|operator<<\(int|\$_' | sort -u
}
for build in g++ "g++ -fdebug-types-section" clang++; do
	compiler=${build%% *}
	command -v "$compiler" >/dev/null || continue
	$build -std=c++17 -O0 -g -o plain "$source" 2>said && $build -std=c++17 -O2 -g -o inlined "$source" 2>said ||
		fail "$compiler: $(cat said)"
	nm -C plain | sed -nE 's/^[0-9a-f]+ [tTwW] //p' | names >expected
	[ "$(wc -l <expected)" -ge 23 ] || fail "$compiler: $(cat expected)"
	for try in 1 2 3; do
		rm -rf test.er
		"$BUILD/bin/collect" -p hi -A off -O said -o test.er ./inlined || fail collect
		"$er_print" -metrics i.totalcpu:name -functions test.er | sed -nE 's/^ *[0-9.]+ +//p' | names >found
		diff expected found >differences && break
		echo "$build, try $try:"
		cat differences
		[ $try -lt 3 ] || exit 1
	done
	"$er_print" -metrics i.totalcpu:name -filters 'FNAME("aa::.*") SOME IN STACK' -functions test.er >list
	grep -q 'aa::marked_work(unsigned long)' list && ! grep -q 'bb::' list || fail "$compiler: FNAME: $(cat list)"
	"$er_print" -metrics i.totalcpu:name -name short -functions test.er >list
	grep -qE ' aa::marked_work$' list || fail "$compiler: short: $(cat list)"
done
