#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A target's own timers, queued signals and perf events all arrive, and what it sees of masks, actions and pending signals is
# what it sees without us, also on the very number of our signal; with perf and without.
# measures ticks beside the target's own timers
set -eu
collect=$BUILD/bin/collect
"$PROGRAMS/signal_view" >plain
for launcher in "" "$PROGRAMS/refuse_perf EPERM"; do
	rm -rf own.er view.er
	$launcher "$collect" -p hi -O said -o own.er "$PROGRAMS/own_signals"
	$launcher "$collect" -p hi -O said -o view.er "$PROGRAMS/signal_view" >view
	diff plain view
done
# The control: a target that blocks everything is not left alone by the kernel, but still gets our signal.
"$PROGRAMS/signal_view" kernel | tail -n 1 | tee plain.kernel
"$collect" -p hi -O said -o kernel.er "$PROGRAMS/signal_view" kernel | tail -n 1 | tee ours.kernel
grep -q '^SigBlk:.*fffffffe7ffbfeff$' plain.kernel
grep -q '^SigBlk:.*effffffe7ffbfeff$' ours.kernel
