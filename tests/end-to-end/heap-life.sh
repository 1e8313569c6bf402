#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Blocks in the corners of a process's life: freed by another thread, across fork in a busy process, by destructors after the
# thread's state is gone, in cancelled threads, beside dlopen, in handlers. What the target counts itself is shown, nothing is lost.
. "$TESTS/end-to-end/heap.bash"
# Blocks of one of the sizes that the target uses alone: what libc allocates for threads is not among them.
for what in threads fork storm cancel ends dlopen handler; do
	for ((turn = 0; turn < ${TURNS:-3}; turn++)); do
		rm -rf test.er
		"$collect" -p hi -H on -O said -o test.er "$PROGRAMS/heap_life" $what >counted
		"$er_print" -header test.er >header
		# Threads that take turns quickly have their context switches and wakeups left out, which are no matter of the heap.
		grep -q '^Lost: nothing' header || sed -n '/^Lost/,/^[A-Z]/p' header | grep -E '^ ' | grep -Ev 'has no stack|context switches left out|wakeups of other threads' | sed "s/^/$what: /" | { ! grep .; }
		expected=$(awk '$1 == "blocks" {print $2, $3, $4, $5}' counted)
		[ -n "$expected" ]
		# malloc alone, without what is called from libc: threads, streams. A handler may interrupt just that, and the loader
		# allocates by many names: there the blocks have a size of their own.
		own='!(FNAME("_dl_.*|allocate_stack|pthread_create.*|thrd_.*") SOME IN USTACK)'
		[ "$what" != handler ] || own='HSIZE==33'
		[ "$what" != dlopen ] || own='HSIZE==47'
		"$er_print" -filters "EXPID==1 && HTYPE<=5 && $own" \
			-metrics i+heapalloccnt:i+heapallocbytes:i+heapleakcnt:i+heapleakbytes:name -functions test.er |
			awk '$5 == "<Total>" {print $1, $2, $3, $4}' >shown
		[ "$(cat shown)" = "$expected" ] || { echo "$what: shown $(cat shown), counted $expected"; exit 1; }
	done
done
# A child of a fork has the blocks that it allocated itself.
rm -rf test.er
"$collect" -p off -H on -O said -o test.er "$PROGRAMS/heap_life" fork >counted
[ "$(grep -c '^child 2 155 1 77$' counted)" -eq 5 ]
for ((child = 1; child <= 5; child++)); do
	is_as_counted test.er/_f$child.er "child $child" "2 155 1 77" 'HTYPE<=5'
done
