#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Thousands of threads that live for a moment, all of which want one spin lock: what a thread needs is not asked of the kernel for
# each of them, and all their waits are recorded.
set -eu
command -v strace >/dev/null || { echo "no strace"; exit 77; }

# calls COMMAND...: how often memory is mapped or a file made larger.
calls()
{
	strace -f -c -U name,calls -e trace=mmap,munmap,mprotect,fallocate -o counted "$@" >out 2>err || { cat out err; exit 1; }
	awk '$1 ~ /^(mmap|munmap|mprotect|fallocate)$/ { sum += $2 } END { print sum }' counted
}

threads=1000
plain=$(calls "$PROGRAMS/brief_threads" $threads 250 spin)
collected=$(calls "$BUILD/bin/collect" -p off -s all -H on -i on -O said -o test.er "$PROGRAMS/brief_threads" $threads 250 spin)
echo "$plain calls alone, $collected with collect"
# Two dozen for each thread's first blocks and stacks would make it ten times as many.
[ $((collected - plain)) -le $((2 * threads)) ] || exit 1
# Each waits for the lock and at a barrier, and is waited for.
waits=$("$BUILD/bin/er_print" -metrics i.syncn:name -functions test.er | awk '$2 == "<Total>" { print $1 }')
[ "$waits" -eq $((3 * threads)) ] || { echo "$waits waits of $((3 * threads))"; exit 1; }
"$BUILD/bin/er_print" -header test.er | grep -q '^Lost: nothing$'
