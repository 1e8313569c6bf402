#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# measures 150 ms of work in each phase of a program, the order of the phases, and a sleep between them, in a flame chart.
. "$TESTS/end-to-end/pictures.bash"
"$BUILD/bin/collect" -p hi -o phases.er "$PROGRAMS/phases" >out 2>err || { cat out err; exit 1; }
"$er_print" -flamechart phases.svg phases.er 2>err
/usr/bin/python3 - "$TESTS/tools" <<'PYTHON'
import re
import sys
sys.path.insert(0, sys.argv[1])
import picture_frames
frames = picture_frames.read("phases.svg")[0]
lanes = [frame for frame in frames if ", thread " in frame.name]
times = lambda frame: [float(number) for number in re.findall(r"([\d.-]+) sec\.", frame.said)]
def phases_of(lane, following):
    """[name, start, end]: where a thread was preempted, a phase has several frames."""
    phases = []
    for frame in frames:
        if frame.name not in ("first", "second") or not lane.depth < frame.depth < following:
            continue
        start, length = times(frame)
        if phases and phases[-1][0] == frame.name and start - phases[-1][2] < 0.2:
            phases[-1][2] = start + length
        else:
            phases.append([frame.name, start, start + length])
    return phases


phases = [phases_of(lane, following) for lane, following in zip(lanes, [other.depth for other in lanes[1:]] + [1000])]
print(phases)
main, thread = phases
assert [name for name, *_ in main] == ["first", "second", "first"], "order"
assert [name for name, *_ in thread] == ["second"], "the thread"
# CPU time takes as much elapsed time at least, but for what a tick of 1 ms misses at both ends.
assert all(end - start >= 0.14 for _, start, end in main + thread), "lengths"
# Each phase follows the one before, and the last comes after the sleep.
(_, start1, end1), (_, start2, end2), (_, start3, _) = main
assert -1e-5 < start2 - end1 < 0.1, "no gap"
assert start3 - end2 >= 0.29, "the sleep"
assert abs(thread[0][1] - start1) < 0.15, "at the same time"
(main_frame,) = [frame for frame in frames if frame.name == "main"]
assert times(main_frame)[1] >= 0.74, "main goes on"
PYTHON
