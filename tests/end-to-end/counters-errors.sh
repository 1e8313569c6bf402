#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The messages of -h when it cannot do what is asked: one line that names the counter, and nothing is created. What the kernel
# refuses is tried with a seccomp filter, so that no setting of the machine is changed. The lists of other CPUs come from
# libpfm4's tables.
set -eu
failures=0
# says NAME PATTERN COMMAND...: it fails, says that, and leaves no experiment.
says()
{
	local name=$1 pattern=$2 status=0
	shift 2
	"$@" >"$name.out" 2>&1 || status=$?
	if [ $status -ne 1 ] || ! grep -qE -- "$pattern" "$name.out" || compgen -G '*.er' >/dev/null; then
		echo "WRONG $name: status $status, not \"$pattern\":"
		cat "$name.out"
		failures=1
	fi
	rm -rf ./*.er
}
# lists NAME PATTERN COMMAND...: it succeeds and prints that.
lists()
{
	local name=$1 pattern=$2
	shift 2
	if ! "$@" >"$name.out" 2>&1 || ! grep -qE -- "$pattern" "$name.out"; then
		echo "WRONG $name: not \"$pattern\":"
		head -50 "$name.out"
		failures=1
	fi
}
collect=$BUILD/bin/collect
says unknown 'Invalid HW counter name: page-fault; the nearest names: page-faults,' "$collect" -h page-fault true
says unknown-hint 'Run "collect -h" with no other arguments' "$collect" -h nosuch true
says interval 'it must be from 1 to 2147483647' "$collect" -h page-faults,0 true
says interval-most 'it must be from 1 to 2147483647' "$collect" -h page-faults,2147483648 true
says interval-text 'page-faults.*minor-faults.*page-faults,,minor-faults' "$collect" -h page-faults,minor-faults true
says clock-interval 'from 100000 to 2147483647 nanoseconds' "$collect" -h cpu-clock,1000 true
says twice 'was specified twice' "$collect" -h page-faults,1,faults,2 true
says off 'off cannot be used with any other' "$collect" -h off -h page-faults true
says no-mode 'neither user nor system mode' "$collect" -h page-faults~user=0 true
says precise 'precise levels are 0 to 3' "$collect" -h page-faults~precise=4 true
says read-interval 'is read at clock ticks: leave out its interval, on' "$collect" -h =page-faults,on true
says read-clock 'is read at clock ticks: -p must not be off' "$collect" -p off -h =page-faults true
says read-only 'bytes-allocated. has no overflows: clock ticks read it: -h =bytes-allocated' "$collect" -h bytes-allocated true
says read-heap '=bytes-allocated. adds up what is recorded with -H on: give collect' "$collect" -h =bytes-allocated true
says read-twice 'was specified twice' "$collect" -h =faults,page-faults,1 true
says read-unknown 'Invalid HW counter name: page-fault; the nearest' "$collect" -h =page-fault true
says read-many 'More than 8 counters were specified that clock ticks read' "$collect" -h =page-faults,=minor-faults,=major-faults \
	-h =context-switches,=user-time,=system-time,=cpu-clock,=task-clock,=cpu-migrations true
says many 'More than 16 counters' "$collect" $(printf -- '-h r%x ' {1..17}) true
says memory 'no data addresses: it is no access to memory .*: leave out the' "$collect" -h +cpu-clock true
says tracepoint 'syscalls:no_such_call.*(tracefs|no such tracepoint)' "$collect" -h syscalls:no_such_call true
says scheduler 'context-switches.: not permitted: kernel.perf_event_paranoid is .*sysctl kernel.perf_event_paranoid=1' \
	"$PROGRAMS/refuse_perf" EPERM "$collect" -h context-switches true
says scheduler-memory 'no data addresses' "$collect" -h +cpu-migrations true
if ! ls -d /sys/bus/event_source/devices/{cpu*,armv*} >/dev/null 2>&1; then
	for counter in cycles insts r1c2 on; do
		says "no-pmu-$counter" 'not supported on this system.*performance monitoring unit' "$collect" -h "$counter" true
	done
	lists no-pmu-list 'not supported on this system' "$collect" -h
fi
lists software 'minor-faults' "$collect" -h
lists read '=bytes-allocated +bytes Bytes Allocated .with -H on' "$collect" -h
lists read-set 'data descriptor: "p:10007;h:=page-faults,=context-switches(,=user-time,=system-time)?|=insts' "$collect" -n -h =on true
lists read-last '1. minor-faults .*interval 7$' "$collect" -n -h =page-faults,minor-faults,7 true
lists usage 'Run "collect -h"' "$collect"
"$collect" -h off -O off.said -o off.er true && "$BUILD/bin/er_print" -header off.er | grep -c 'Counter overflow' && failures=1
rm -rf off.er
case $(uname -m) in
x86_64)
	for cpu in skl icl icx spr amd64_fam17h_zen2 amd64_fam19h_zen3 amd64_fam19h_zen4; do
		export LIBPFM_FORCE_PMU=$cpu
		lists "cpu-$cpu" "cpuver=$cpu\\)" "$collect" -h -v
		lists "set-$cpu" '^    -h insts,,cycles' "$collect" -h
		lists "alias-$cpu" '^cycles,32010001 \(.CPU Cycles., alias for .*CPU-cycles\)' "$collect" -h -v
		lists "raw-$cpu" '^[a-z0-9_.]+,30001 \(events\)' "$collect" -h -v
	done
	LIBPFM_FORCE_PMU=amd64_fam17h_zen2 lists missing 'c_stalls +\(not available on this CPU\)' "$collect" -h
	LIBPFM_FORCE_PMU=amd64_fam17h_zen2 says alias-missing 'c_stalls.*is not available on this CPU' "$collect" -h c_stalls true
	unset LIBPFM_FORCE_PMU
	;;
esac
exit $failures
