#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples: what the collector itself writes, and its own page faults, are not the program's. The program touches 500 pages and writes
# nothing; the collector writes several megabytes of heap events.
# measures page faults, of which the kernel may spare one
set -u
fail()
{
	echo "$*"
	exit 1
}
read -r plain_faults plain_bytes < <("$PROGRAMS/own_use")
[ "$plain_faults" -ge 500 ] && [ "$plain_faults" -lt 560 ] || fail "plain: $plain_faults faults"
"$BUILD/bin/collect" -p hi -H on -O said -o t.er "$PROGRAMS/own_use" >out || fail "status $?"
read -r faults bytes <out
size=$(stat -c %s t.er/heap.events)
[ "$size" -gt 3000000 ] || fail "the collector wrote only $size bytes"
"$BUILD/bin/er_print" -statistics t.er >statistics
shown() # TITLE
{
	sed -n "s/^ *$1: \([0-9]*\)$/\1/p" statistics | tail -1
}
program=$(shown 'Minor Page Faults') own=$(shown "The collector's Page Faults, not counted above")
written=$(shown 'Block output (bytes)') own_written=$(shown "The collector's block output, not counted above")
values="faults: $plain_faults plain, $faults collected, shown $program and $own; bytes: $plain_bytes plain, $bytes collected,"
values="$values shown $written and $own_written"
echo "$values"
# From the first sample to the last there is more than from one end of main() to the other: the loader's last work, exit.
[ "$program" -ge 500 ] && [ "$program" -le $((plain_faults + 150)) ] || fail "page faults of the program"
[ "$own" -ge $((faults - program)) ] && [ "$own" -gt 100 ] || fail "page faults of the collector"
# A file system in memory writes nothing.
if [ "$bytes" -gt 1000000 ]; then
	[ "$written" -le $((plain_bytes + 65536)) ] || fail "block output of the program"
	[ "$own_written" -ge $((size / 10 * 9)) ] || fail "block output of the collector"
else
	[ "$written" -le 65536 ] || fail "block output of the program on this file system"
fi
