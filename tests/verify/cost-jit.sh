#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Heap tracing of programs whose code is made at run time without tables: QEMU boots to a boot sector that ends the machine, and
# Erlang runs a small program. Medians of paired runs; and all stacks reach their thread's start.
# limit: 300
set -eu
command -v qemu-system-x86_64 >/dev/null || { echo "no qemu-system-x86_64"; exit 77; }
command -v erlc >/dev/null || { echo "no erlang"; exit 77; }
# cli; mov ax, 16; mov dx, 0x501; out dx, al; jmp .
/usr/bin/python3 -c 'import sys; sys.stdout.buffer.write(b"\xfa\xb8\x10\0\xba\1\5\xee\xeb\xfe".ljust(510, b"\0") + b"\x55\xaa")' >boot
cat >a.erl <<'END'
-module(a).
-export([main/0]).
main() -> B = [binary_to_list(list_to_binary(lists:seq(1, 100))) || _ <- lists:seq(1, 3000)], io:format("~p~n", [length(B)]), halt(0).
END
erlc a.erl
qemu=(qemu-system-x86_64 -display none -serial none -monitor none -drive format=raw,file=boot -device isa-debug-exit,iobase=0x501,iosize=1 -m 32)
erl=(erl -noshell -s a main)

# timed NAME COMMAND...: its seconds, and that it ended as it does.
timed()
{
	local name=$1 expected=$2 begin status=0
	shift 2
	begin=$(date +%s%N)
	"$@" >out 2>&1 || status=$?
	[ $status -eq "$expected" ] || { echo "$name: status $status"; cat out; exit 1; }
	echo "$name $(($(date +%s%N) - begin))"
}
for round in 1 2 3 4 5; do
	rm -rf qemu.er erl.er
	timed qemu 33 "${qemu[@]}"
	timed qemu-heap 33 "$BUILD/bin/collect" -p off -H on -O said -o qemu.er "${qemu[@]}"
	timed erl 0 "${erl[@]}"
	timed erl-heap 0 "$BUILD/bin/collect" -p off -H on -O said -o erl.er "${erl[@]}"
done >times.txt || { cat times.txt; exit 1; }
for name in qemu erl; do
	failed=$(for experiment in $(find $name.er -name '*.er'); do "$BUILD/bin/er_print" -header "$experiment"; done | awk '/stacks that could not be walked/ { sum += $1 } END { print sum + 0 }')
	captured=$(for experiment in $(find $name.er -name '*.er'); do "$BUILD/bin/er_print" -header "$experiment"; done | awk '/stacks captured from leaf|stacks with frames found/ { sum += $1 } END { print sum + 0 }')
	echo "$name-failed $failed"
	echo "$name-captured $captured"
done >>times.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - times.txt <<'END'
import collections
import statistics
import sys

from bounds import bound, finish

values = collections.defaultdict(list)
for line in open(sys.argv[1]):
    name, value = line.split()
    values[name].append(float(value))
for name, most in ("qemu", 4), ("erl", 4):
    ratio = statistics.median(h / p for h, p in zip(values[name + "-heap"], values[name]))
    bound("%s with -H on (%.2f s alone), of plain" % (name, statistics.median(values[name]) / 1e9), ratio, most, "times")
    bound("%s: stacks that are not walked to the thread's start" % name,
        100 * values[name + "-failed"][0] / values[name + "-captured"][0], 1, "%")
finish()
END
