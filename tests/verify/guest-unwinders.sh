#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# On arm64, libunwind finds the stacks that are recorded, frame by frame: deep ones, signals on signals and on a stack of their
# own, callbacks of the C library. Only code without an unwind table, stubs of the linker and the kernel's functions, is where it
# guesses; these shapes are seldom there.
# limit: 600
. "$TESTS/end-to-end/guest.bash"
on_guest -t 500 <<'SCRIPT' || exit
export ER_TOOLS_UNWINDER=both
for shape in depth200 signal nested_signals altstack qsort clobbered; do
	collect -p hi -o $shape.er $PROGRAMS/torture-gcc-none $shape 0.1 >/dev/null || exit
done
SCRIPT
failed=0
for experiment in out/*.er; do
	name=$(basename "$experiment" .er)
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B "$TESTS/outside/unwinders.py" "$name" 50 "$experiment" >compared || failed=1
	cat compared
	sed -n 's/^.*: \([0-9]*\) stacks, .* equal \([0-9]*\), .*/\1 \2/p' compared |
		awk '$2 >= 0.85 * $1 { found = 1 } END { exit !found }' || { echo "$name: too many stacks differ"; failed=1; }
done
exit $failed
