#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A blocking write that the kernel would cut short for a signal of ours moves all that it was given, with and without I/O
# tracing: the target gets no count that only a signal explains.
# measures ticks that come within a write
set -eu
"$PROGRAMS/whole_writes" >plain
for option in "-i off" "-i on"; do
	"$BUILD/bin/collect" -p 0.2 $option -O said -o "test${option// /}.er" "$PROGRAMS/whole_writes" >out || { cat said; exit 1; }
	diff plain out || { echo "cut short under -p 0.2 $option"; exit 1; }
	ticks=$("$BUILD/bin/er_print" -header "test${option// /}.er" | sed -n 's/^ *\([0-9]*\)  clock ticks recorded$/\1/p' | head -n 1)
	[ "${ticks:-0}" -ge 50 ] || { echo "only ${ticks:-no} ticks: nothing was tried"; exit 1; }
	echo "$option: $ticks ticks, $(paste -sd, out)"
done
