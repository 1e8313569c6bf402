#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code of a file that the program maps itself, as V8 does with its own text: the function has its name, its line and its callers,
# and what it used; where libc maps or unmaps it map.xml has each place, also with heap tracing; mapped by a system call of
# the program's own it is found when a tick hits it, and stays known when it is gone.
# measures CPU time of code that is moved
set -u
fail()
{
	echo "$*"
	exit 1
}
for how in mmap mprotect raw moved; do
	for options in "-p hi" "-p hi -H on"; do
		rm -rf t.er
		"$BUILD/bin/collect" $options -O said -o t.er "$PROGRAMS/text_again" $how 0.3 >used || fail "$how: status $?"
		"$BUILD/bin/er_print" -metrics e.totalcpu:i.totalcpu:name -printmode ';' -functions t.er | "$TESTS/tools/rows" >functions
		awk -v used="$(cat used)" '$3 == "work_again" {shown = $1} $3 == "main" {called = $2} $3 == "<Unknown>" {unknown = $1}
			END {print shown, "of", used, "unknown", unknown + 0; exit !(shown > used * 0.85 && called > used * 0.85 && unknown < used * 0.1)}' functions >judged ||
			fail "$how, $options: $(cat judged functions)"
		copies=$(grep -c 'kind="map".*size="0x1000".*/text_again"' t.er/map.xml)
		gone=$(grep -c 'kind="unmap"' t.er/map.xml)
		case $how in
		mmap | mprotect | raw) [ "$copies" = 1 ] ;;
		moved) [ "$copies" = 4 ] && [ "$gone" = 4 ] ;;
		esac || fail "$how, $options: $copies copies, $gone gone"
	done
done
"$BUILD/bin/er_print" -lines t.er | grep -q 'work_again.*text_again\.c' || fail "no lines"
exit 0
