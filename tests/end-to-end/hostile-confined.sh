#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that confines itself by seccomp is never punished for a call of the collector's: what the filter does not allow is
# not called, and the log says what that was and, if nothing can be recorded without it, that recording ended. What came
# before is there.
# measures ticks of a real run
. "$TESTS/end-to-end/hostile.bash"
runs clocks -- kill_clocks 400
recorded clocks 97 total
says clocks 'without these calls of the collector: perf_event_open timer_create timer_settime<'
runs everybody -- kill_clocks 400 1
recorded everybody 97 total
for way in only_needed refused no_signals; do
	runs "$way" -- "$way" 400
	recorded "$way" 20 total
	says "$way" 'recording ends here: the program confines itself by seccomp, without these calls' 'reason="seccomp"'
done
runs strict -- strict 400
recorded strict 98 total
says strict 'recording ends here' 'reason="seccomp"'
# A filter that the kernel refuses changes nothing.
runs probe -- probe 400
recorded probe
! grep -rs --include=log.xml '^<event.*\(confines itself\|recording ends\|had ended\)' probe.er || { echo "probe: a filter that is none is believed"; exit 1; }
