#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -x: the target stands still before it has done anything, under its final name, traced by nobody; a debugger attaches and
# goes to main, past the signals of the clock; SIGCONT lets it go without one; a refused ptrace is an error and leaves nothing.
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
wait_for_line()
{
	for _ in $(seq 200); do
		target=$(sed -n 's/^Waiting for attach from debugger: pid=\([0-9]*\)$/\1/p' "$1" 2>/dev/null)
		[ -n "$target" ] && return
		sleep 0.05
	done
	fail "no line: $(cat "$1")"
}
cat >program.c <<'END'
#include <stdio.h>
int answer = 41;
int main(void)
{
	FILE *file = fopen("ran", "w");
	fclose(file);
	return answer + 1;
}
END
gcc -g -o program program.c || exit 1

"$collect" -x -o a.er ./program 2>lines &
pid=$!
wait_for_line lines
[ "$(readlink "/proc/$target/exe")" = "$PWD/program" ] || fail "not the target"
grep -q '^State:.*T (stopped)' "/proc/$target/status" || fail "not stopped"
grep -q '^TracerPid:.*\<0$' "/proc/$target/status" || fail "still traced"
[ ! -e ran ] || fail "it has run"
grep -q libc.so "/proc/$target/maps" && fail "its loader has run"
if command -v gdb >/dev/null; then
	gdb -q -nx -batch -p "$target" -ex 'handle all nostop noprint pass' -ex 'break main' -ex continue \
		-ex 'print answer = 9' -ex detach >gdb.out 2>&1 </dev/null
	grep -q 'Breakpoint 1, main' gdb.out || fail "$(cat gdb.out)"
	expected=10
else
	expected=42
fi
kill -CONT "$target" 2>/dev/null
wait $pid
[ $? -eq $expected ] && [ -e ran ] || fail "its end"

rm ran
"$collect" -x -O more -o b.er ./program &
pid=$!
wait_for_line more
kill -CONT "$target"
wait $pid
[ $? -eq 42 ] && [ -e ran ] || fail "SIGCONT"

rm ran
# PTRACE_SEIZE is system call 101 with 0x4206; a filter says EPERM, as a container may.
cat >refuse.py <<'END'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def statement(code, jt, jf, k):
    return struct.pack("HBBI", code, jt, jf, k)
ptrace = {"x86_64": 101, "aarch64": 117}[os.uname().machine]
program = (statement(0x20, 0, 0, 0) + statement(0x15, 0, 1, ptrace) + statement(0x06, 0, 0, 0x00050001)
           + statement(0x06, 0, 0, 0x7fff0000))
class Filter(ctypes.Structure):
    _fields_ = [("size", ctypes.c_ushort), ("program", ctypes.c_char_p)]
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Filter(4, program)), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
END
/usr/bin/python3 refuse.py "$collect" -x -o c.er ./program 2>err
[ $? -eq 1 ] || fail "refused: status"
grep -qx 'collect: Option -x: the target cannot be stopped: ptrace: Operation not permitted' err || fail "$(cat err)"
[ ! -e c.er ] && [ ! -e ran ] || fail "refused: something is left"
ER_TOOLS_LAUNCH=exec "$collect" -x -o c.er ./program 2>err
[ $? -eq 1 ] && [ ! -e c.er ] || fail "-x in exec mode: $(cat err)"
