#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits for pages of a mapped file, as data and as code, are at the instruction that needed the page, with its stack and the length
# by the program's own clock, as root and as a user without rights. Nothing tells a wait for a userfaultfd: it is unknown. Where the
# kernel refuses perf events, none of it is known, and the metrics are not there.
# measures how long a program waits
. "$TESTS/end-to-end/hostile.bash"
. "$TESTS/end-to-end/states.bash"
failures=0
>slow
# Where the kernel lets nobody make a file system of his own, the rest is measured.
slow=slow there=("$PROGRAMS/slow_file" slow)
"${there[@]}" true || slow= there=()
metrics="textpfault datapfault unknownwait"

# pages NAME LAUNCHER...
pages()
{
	local name=$1
	shift
	"${there[@]}" "$@" "$collect" -F off -O said -o "$name.er" "$PROGRAMS/page_waits" $slow >"$name.own"
	columns "$metrics" "$name.er" >"$name.list"
	# The one for a userfaultfd has no stack of its own.
	sed -i 's/^wait_for_handler/<Total>/' "$name.own"
	agree "$name" "$metrics" "$name.list" "$name.own" || failures=1
}

pages root
# Threads are shown with such waits, and with none where there are none.
"$BUILD/bin/er_print" -Threads root.er >threads
[ -z "$slow" ] || { grep -q 'Excl. Text Excl. Data' threads && grep -q '0.06.*0.06.*Process 1, Thread 1$' threads; }
"$collect" -F off -O said -o none.er "$PROGRAMS/page_waits" >/dev/null
"$BUILD/bin/er_print" -Threads none.er >threads
! grep -q 'Excl. Text' threads || exit 1
"${there[@]}" "$PROGRAMS/refuse_perf" EPERM "$collect" -F off -O said -o refused.er "$PROGRAMS/page_waits" $slow >refused.own
"$BUILD/bin/er_print" -Threads -metrics i.datapfault:i.unexplained:name -functions refused.er >refused 2>&1
! grep -q 'Excl. Text' refused || exit 1
grep -q 'No data recorded to support metric specification: i.datapfault' refused
open_to_nobody
>slow
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
pages user "${as_user[@]}"
exit $failures
