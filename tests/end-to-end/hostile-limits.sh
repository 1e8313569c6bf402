#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that live under tight limits, which they set themselves or were started with: as many descriptors and bytes are
# theirs as without us, and what could not be recorded is counted.
# measures CPU time of real runs
. "$TESTS/end-to-end/hostile.bash"
runs descriptors -- descriptors 400 16
recorded descriptors
runs memory -- memory 400 4000
recorded memory
runs files -- files 400
recorded files 0 total
# From the start.
few()
{
	(ulimit -n 24 && "$@")
}
runs few few -- descriptors 400 24
recorded few 20 total
for name in files few; do
	[ "$(counter "$name" events_lost_disk)" -gt 0 ] || { echo "$name: nothing is counted as lost"; exit 1; }
done
