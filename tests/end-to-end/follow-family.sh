#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every way to make a descendant: it is recorded under the name that its lineage gives it, and the program sees and prints
# what it sees and prints without collect. With -F off there is the founder alone.
set -eu
collect=$BUILD/bin/collect
program=$PROGRAMS/life_family

# check NAMES CALL...: the descendants that the calls make, in order of name.
check()
{
	local names=$1 plain=0 status=0
	shift
	"$program" "$@" >plain 2>&1 || plain=$?
	rm -rf t.er
	"$collect" -o t.er "$program" "$@" >collected 2>&1 || status=$?
	grep -v '^Creating' collected >seen || true
	diff plain seen || { echo "$*: the program saw a difference"; exit 1; }
	[ "$plain" = "$status" ] || { echo "$*: status $status"; exit 1; }
	found=$(cd t.er && echo _*.er)
	[ "$found" = "$names" ] || { echo "$*: descendants $found, expected $names"; exit 1; }
	for experiment in t.er t.er/_*.er; do
		[ "$experiment" = 't.er/_*.er' ] && continue
		[ "$(grep -c '<process' "$experiment/log.xml")" = 1 ] || { echo "$*: $experiment: process lines"; exit 1; }
		[ "$(grep -c 'kind="exit"' "$experiment/log.xml")" = 1 ] || { echo "$*: $experiment: exit events"; exit 1; }
		grep -q 'kind="map".*libc' "$experiment/map.xml" || { echo "$*: $experiment: no map"; exit 1; }
	done
	"$BUILD/bin/er_print" -functions t.er >/dev/null
	rm -rf off.er
	"$collect" -F off -o off.er "$program" "$@" >collected 2>&1 || true
	grep -v '^Creating' collected >seen || true
	diff plain seen || { echo "$*: -F off: the program saw a difference"; exit 1; }
	[ "$(cd off.er && echo _*.er)" = '_*.er' ] || { echo "$*: -F off: descendants"; exit 1; }
}
check '_f1.er' fork
check '_f1.er' _Fork
check '_f1.er' clone
check '_f1.er' forkpty
check '_f1.er' fork_in_thread
check '_f1.er _f2.er' fork fork
for call in execve execv execvp execvpe execl execlp execle fexecve execveat null_environment; do
	check '_f1.er _f1_x1.er' "$call"
done
check '_f1_x1.er' vfork
check '_*.er' vfork_exit
# A child that libc does not know of is not recorded until it execs: its thread is not in its parent's experiment.
for call in call call_exec; do
	check "$([ $call = call ] && echo '_*.er' || echo _f1_x1.er)" $call
	[ "$(PYTHONPATH=$TESTS/oracle /usr/bin/python3 -c '
import experiment
print(len({event.thread for event in experiment.Experiment("t.er").events("thread")}))')" = 1 ]
done
check '_x1.er' posix_spawn
check '_x1.er' posix_spawnp
check '_x1.er _x1_x1.er' popen
check '_x1.er _x1_f1_x1.er' system
check '_x1.er _x1_f1.er' exec fork
check '_x1.er _x1_f1.er _x1_f1_x1.er' exec execv
OWN=2 LD_PRELOAD=libm.so.6 check '_f1.er _f1_x1.er _x1.er' execv posix_spawn
