# SPDX-License-Identifier: Apache-2.0
# Holds the stacks that outside logged against those that the experiment has for the same signals.
"""compare.py NAME LOG EXPERIMENT: a line of counts, then what is not equal. Exit 1 unless at least 30 stacks were checked, at
least 95 % of them are equal, and none differs without a reason that one of the two walks states itself."""
import sys
from bisect import bisect_left
from collections import Counter
from experiment import Experiment

LEAST_CHECKED, LEAST_EQUAL = 30, 0.95
REMAINDER = 3
COUNTER_OF_PROCESSOR = 1


class Walk:
    """What libdw saw: pcs with whether each is exact, and how much of it rests on tables."""

    def __init__(self, words):
        cut = words.index("/")
        self.frames, self.end = [], " ".join(words[cut + 1:])
        self.sure = None  # this many frames, then no table tells how to go on; None: all
        for word in words[:cut]:
            pc = word.rstrip("=~!")
            if "~" not in word:
                self.frames.append((int(pc, 16), "=" in word))
            if "!" in word and self.sure is None:
                self.sure, self.end = len(self.frames), "no table describes " + pc
        if self.end != "end" and self.sure is None:
            self.sure = len(self.frames)


def read_log(path, time_column):
    """{tid: [time of each signal]}, {(tid, ordinal): Walk}; a time is just before the thread went on."""
    ticks, walks = {}, {}
    with open(path, encoding="ascii") as log:
        for line in log:
            what, tid, ordinal, *rest = line.split()
            if what == "walk":
                walks[int(tid), int(ordinal)] = Walk(rest)
            else:
                times = ticks.setdefault(int(tid), [])
                times.append(int(rest[time_column]))
                assert len(times) == int(ordinal), line
    return ticks, walks


def recorded(experiment):
    """{tid: [(time, stack)] in time order} of the ticks."""
    tids = {event.thread: event["tid"] for event in experiment.events("thread")}
    assert len(set(tids.values())) == len(tids), "a thread id was used twice"
    events = {}
    for event in experiment.events("clock"):
        if event["mode"] < REMAINDER:
            events.setdefault(tids[event.thread], []).append((event.time, event.stack))
    for of_thread in events.values():
        of_thread.sort()
    return events


def classify(walk, frames, end):
    """frames, end: as Experiment.stack gives them"""
    ours = [(pc, exact) for pc, exact, _heuristic in frames]
    doubted = end != "start" or any(heuristic for _pc, _exact, heuristic in frames)
    if ours == walk.frames and not doubted:
        return "equal"
    if walk.sure is not None and ours[:walk.sure] == walk.frames[:walk.sure]:
        return "libdw ended early"
    return "flagged" if doubted else "different"


def explain(kind, place, walk, frames, end):
    print("%s: thread %d signal %d: libdw: %s; recorded: %s" % (kind, *place, walk.end, end))
    if kind == "libdw ended early":
        return
    for i in range(max(len(walk.frames), len(frames))):
        left = "%x%s" % (walk.frames[i][0], "=" * walk.frames[i][1]) if i < len(walk.frames) else "-"
        right = "%x%s%s" % (frames[i][0], "=" * frames[i][1], "?" * frames[i][2]) if i < len(frames) else "-"
        print("  %18s %18s%s" % (left, right, "" if left == right else "  <"))


def main():
    name, log, path = sys.argv[1:]
    experiment = Experiment(path)
    with open(path + "/settings", encoding="utf-8") as settings:
        source = dict(line.rstrip("\n").split("=", 1) for line in settings)["time_source"]
    ticks, walks = read_log(log, int(int(source) == COUNTER_OF_PROCESSOR))
    events, counts, details = recorded(experiment), Counter(), []
    for (tid, ordinal), walk in sorted(walks.items()):
        times, of_thread = ticks[tid], events.get(tid, [])
        first = bisect_left(of_thread, (times[ordinal - 1], 0))
        after = bisect_left(of_thread, (times[ordinal], 0)) if ordinal < len(times) else len(of_thread)
        if first == after:
            counts["not recorded"] += 1
            continue
        assert after == first + 1, "thread %d signal %d was recorded twice" % (tid, ordinal)
        frames, end, _generation = experiment.stack(of_thread[first][1])
        kind = classify(walk, frames, end)
        counts[kind] += 1
        counts["frames"] += len(frames)
        if kind != "equal":
            details.append((kind, (tid, ordinal), walk, frames, end))
    checked = sum(counts[kind] for kind in ("equal", "libdw ended early", "flagged", "different"))
    print("%s: signals %d recorded %d threads %d; checked %d frames %d; equal %d, libdw ended early %d, "
          "recorded one failed or flagged %d, different %d; not recorded %d" % (
              name, sum(map(len, ticks.values())), sum(map(len, events.values())), len(ticks), checked, counts["frames"],
              counts["equal"], counts["libdw ended early"], counts["flagged"], counts["different"], counts["not recorded"]))
    for detail in details[:20]:
        explain(*detail)
    good = checked >= LEAST_CHECKED and counts["equal"] >= LEAST_EQUAL * checked and counts["different"] == 0
    sys.exit(0 if good else 1)


main()
