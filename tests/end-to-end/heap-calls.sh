#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the heap's family, in success and failure: allocations, bytes, leaks and leaked bytes are those that the
# target counts itself, of blocks and of mappings.
. "$TESTS/end-to-end/heap.bash"
for mode in on light; do
	"$collect" -p off -H $mode -O said -o $mode.er "$PROGRAMS/heap_calls" >counted
	is_as_counted $mode.er blocks "$(awk '$1 == "blocks" {print $2, $3, $4, $5}' counted)" 'HTYPE>=1 && HTYPE<=5'
	is_as_counted $mode.er mappings "$(awk '$1 == "mappings" {print $2, $3, $4, $5}' counted)" 'HTYPE>=6 && HTYPE<=8'
	is_as_counted $mode.er all "$(awk '/blocks|mappings/ {a += $2; b += $3; l += $4; m += $5} END {print a, b, l, m}' counted)" ''
	# A filter by what was never released keeps all leaked bytes and nothing else of blocks; one by what was released keeps no
	# allocation.
	leaked=$(awk '/blocks|mappings/ {bytes += $5} END {print bytes}' counted)
	[ "$(heap_total $mode.er 'HLEAKED > 0' | cut -d' ' -f4)" = "$leaked" ] || { echo "HLEAKED: not $leaked bytes"; exit 1; }
	blocks=$(awk '$1 == "blocks" {print $5}' counted)
	[ "$(heap_total $mode.er 'HLEAKED > 0 && HTYPE <= 5' | cut -d' ' -f2,4)" = "$blocks $blocks" ] || { echo "HLEAKED: not $blocks bytes of blocks"; exit 1; }
	is_as_counted $mode.er releases "0 0 0 0" 'HFREED > 0 && HCUR_NET_ALLOC < 0'
	# A call that failed is an event with its error and is no allocation.
	events $mode.er '
errors = [event for event in heap if event["error"]]
print("failed", len(errors), sum(event["size"] for event in errors) & (1 << 64) - 1)' >failed
	diff <(awk '$1 == "failed" {print $1, $2, $3}' counted) failed
done
# Releases have stacks, or not.
events on.er 'print(sum(1 for e in heap if e["what"] == 0 and not e.stack), sum(1 for e in heap if e["what"] != 0 and not e.stack))' >without
[ "$(cat without)" = "0 0" ]
events light.er 'print(sum(1 for e in heap if e["what"] == 0 and e.stack), sum(1 for e in heap if e["what"] != 0 and not e.stack))' >without
[ "$(cat without)" = "0 0" ]
