#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every 10th clock signal is checked from outside: a tracer stops the thread where the signal is about to be delivered, and
# elfutils' unwinder finds the same frames there as the collector records, from the leaf to the thread's start.
# limit: 300
set -u
outside=$BUILD/tests/outside/outside
[ -x "$outside" ] || { echo "the tracer is built for x86-64 alone"; exit 77; }
failed=0
check() # NAME COMMAND...
{
	local name=$1 status
	shift
	ER_TOOLS_LAUNCH=exec "$outside" 10 "$name.log" "$BUILD/bin/collect" -A off -p hi -o "$name.1.er" "$@" >output 2>&1 </dev/null
	status=$?
	[ $status -eq 0 ] || { echo "$name: exit status $status"; tail -n 3 output; failed=1; return; }
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B "$TESTS/outside/compare.py" "$name" "$name.log" "$name.1.er" || failed=1
}
"$TESTS/tools/workload" text 3 >text
"$TESTS/tools/workload" sql 600 >script.sql
"$TESTS/tools/workload" python 60 >program.py
"$TESTS/tools/workload" c 60 >big.i
check xz xz -6 -T2 --block-size=1MiB -kc text
check sqlite3 sqlite3 :memory: '.read script.sql'
check python3 /usr/bin/python3 program.py
check cc1 "$(gcc -print-prog-name=cc1)" -quiet -O2 big.i -o /dev/null
check cxx "$PROGRAMS/sort_shapes" 400
# The same, each frame found by its frame pointer.
g++ -O0 -fno-omit-frame-pointer -o shapes "$TESTS/programs/sort_shapes.cc" || exit 1
check frame_pointers ./shapes 30
# Signals on signals, on a stack of their own; realigned, deep and last calls of a function.
for shape in signal nested_signals altstack fault realigned alloca noreturn depth200 threads; do
	check $shape "$PROGRAMS/torture-gcc-none" $shape 1
done
exit $failed
