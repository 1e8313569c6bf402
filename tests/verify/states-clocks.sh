#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Constructed waits beside the clocks of the programs that wait: of every kind, for pages, stopped, and who ended them, as root, as a
# user without rights, and where the kernel refuses perf events.
# limit: 200
. "$TESTS/end-to-end/hostile.bash"
er_print=$BUILD/bin/er_print
failures=0
>slow
there=("$PROGRAMS/slow_file" slow)
"${there[@]}" true || there=()
# beside NAME METRICS PROGRAM ARGUMENTS -- LAUNCHER...
beside()
{
	local name=$1 metrics=$2
	shift 2
	local program=("$PROGRAMS/$1")
	shift
	while [ "$1" != -- ]; do
		program+=("$1")
		shift
	done
	shift
	rm -rf run.er
	"$@" "$collect" -O said -o run.er "${program[@]}" >own
	# A wait for a userfaultfd has no stack of its own; who joins is woken by the ends of threads, not by what asks for that.
	sed -i 's/^wait_for_handler/<Total>/; /^join /d' own
	"$er_print" -printmode csv -metrics "i.${metrics// /:i.}:name" -name short -functions run.er 2>/dev/null >list
	# shellcheck disable=SC2086
	/usr/bin/python3 -B "$TESTS/oracle/own_clocks.py" "$name" list own $metrics || failures=1
}
# all HOW LAUNCHER...
all()
{
	local how=$1
	shift
	beside "waits of every kind, $how" "lock filewait netwait sleep pollwait childwait wait" thread_states -- "$@"
	beside "stopped, $how" "stop sleep filewait" stopped -- "$@"
	[ "$how" = "perf events refused" ] && return
	[ ${#there[@]} -eq 0 ] || beside "pages, $how" "textpfault datapfault unknownwait" page_waits slow -- "${there[@]}" "$@"
	beside "threads that wake threads, $how" wakeup wakers -- "$@"
	beside "processes that wake processes, $how" wakeup process_wakers -- "$@"
	beside "processes that wake processes by locks, $how" wakeup process_locks -- "$@"
}
all "as root"
all "perf events refused" "$PROGRAMS/refuse_perf" EPERM
open_to_nobody
>slow
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
all "as a user" "${as_user[@]}"
exit $failures
