# SPDX-License-Identifier: Apache-2.0
# How the states of each thread divide its elapsed time, by the second reader of experiments.
"""Elapsed time is from the thread's start to its end, by events that no state is made of."""
from experiment import experiments

STATES = ("unexplained", "runnable", "blocked", "lock", "sleep", "file", "network", "descriptors", "child", "waking", "text",
          "data", "stopped")
BRIEF = 100000  # nanoseconds between records of one moment
# Modes of clock events: what is left at the end; the collector's own work at its beginning and end; what came before it.
REMAINDER, COLLECTOR, BEFORE = 3, 4, 5


class Thread:
    """elapsed, and by state (and "cpu") nanoseconds; ended: its end is recorded"""

    def __init__(self, experiment, number):
        self.experiment, self.number, self.begin, self.end = experiment, number, None, None
        self.states = dict.fromkeys(("cpu", *STATES), 0)

    @property
    def ended(self):
        return self.begin is not None and self.end is not None

    @property
    def elapsed(self):
        return self.end - self.begin

    @property
    def sum(self):
        return sum(self.states.values())


def clock_of(experiment):
    """(raw, monotonic, nanoseconds per tick of raw time), by the first and the last moment that the log has on both clocks."""
    times = [(int(element.get("raw")), int(element.get("monotonic"))) for element in experiment._lines("log.xml")
             if element.get("raw") and element.get("monotonic")]
    (raw, monotonic), (last_raw, last_monotonic) = times[0], times[-1]
    return raw, monotonic, (last_monotonic - monotonic) / (last_raw - raw) if last_raw > raw else 1.0


def threads_of(experiment):
    """The threads of one experiment."""
    tick, threads = clock_of(experiment)[2], {}

    def thread_of(event):
        return threads.setdefault(event.thread, Thread(experiment.path, event.thread))

    used = {}  # by thread: its CPU time until its end, since its beginning
    for event in experiment.events("thread"):
        thread = thread_of(event)
        if event["what"]:
            thread.end = event.time * tick
            used[thread] = used.get(thread, 0) + event["cpu"]
        else:
            thread.begin = event.time * tick
            used[thread] = used.get(thread, 0) - event["cpu"]
    closed = {}  # by thread, when its remainder was recorded
    for event in experiment.events("clock"):
        thread = thread_of(event)
        # The collector begins before the thread's start is recorded, and ends after its end, which is when its states were read
        # last; the remainder is recorded after that, and a process may go on after it.
        after = thread.end is not None and event.time * tick > thread.end
        outside = event["mode"] == COLLECTOR and (after or event.time * tick < (thread.begin or 0))
        if after and event["mode"] == REMAINDER:
            outside = event.time * tick > closed.setdefault(thread, event.time * tick) + BRIEF
        if event["mode"] != BEFORE and not outside:
            thread.states["cpu"] += event["user"] + event["system"]
    for thread in threads.values():
        if thread.ended:  # the remainder has what the collector used to close, too
            thread.states["cpu"] = min(thread.states["cpu"], used[thread])
    for event in experiment.events("offcpu"):
        thread_of(event).states[STATES[event["state"]]] += event["duration"] * tick
    return list(threads.values())


def all_threads(founder):
    """Those of the founder and its descendants."""
    for experiment in experiments(founder):
        yield from threads_of(experiment)
