# SPDX-License-Identifier: Apache-2.0
# Thread states by the kernel's scheduler events: sched_states.py NAME TRACE EXPERIMENT. TRACE is the text of a tracing instance with
# trace_clock mono that had sched_switch, sched_wakeup and sched_wakeup_new while the experiment was recorded. For each thread the
# time on a run queue and the time that it waited are compared with the second reader's sums. Prints the bounds as tests/verify/run
# reads them; exit status 1 if one is short.
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from experiment import experiments  # noqa: E402
from thread_states import STATES, clock_of, threads_of  # noqa: E402

BOUND = 2.0  # per cent of a thread's elapsed time
BRIEF = 1000000  # nanoseconds: a difference that is less says nothing of a thread that lives for a moment
WAITS = [state for state in STATES if state not in ("unexplained", "runnable", "waking")]
OVERRUN = re.compile(r"entries-in-buffer/entries-written: (\d+)/(\d+)")
EVENT = re.compile(r"\[(\d+)\] \S+ +(\d+)\.(\d{6}): (sched_\w+): (.*)")
SWITCH = re.compile(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+) ")
WAKEUP = re.compile(r" pid=(\d+) prio=.* target_cpu=(\d+)")


class Switches:
    """found: by thread id, [(what, begin, end), ...] in nanoseconds, `what` being "runnable" or "waits"; missed: thread ids of
    which a switch to them was not shown."""

    def __init__(self):
        self.found, self.missed = {}, set()
        self.off, self.running = {}, {}  # by thread id, what it does now and since when; by CPU, the thread id

    def enter(self, tid, what, now):
        before = self.off.pop(tid, None)
        if before:
            self.found.setdefault(tid, []).append((*before, now))
        if what:
            self.off[tid] = (what, now)

    def switch(self, cpu, now, previous, state, following):
        if previous in self.off:
            self.missed.add(previous)
        self.enter(previous, "runnable" if state[0] == "R" else "waits", now)
        self.enter(following, None, now)
        self.running[cpu] = following

    def wakeup(self, now, tid, cpu, new):
        """Some kernels do not show how an idle CPU switches to a thread: it does so at once."""
        if not new and self.off.get(tid, ("",))[0] != "waits":
            return
        idle = self.running.get(cpu) == 0
        self.enter(tid, None if idle else "runnable", now)
        if idle:
            self.running[cpu] = tid


def read_trace(path):
    switches = Switches()
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            event, overrun = EVENT.search(line), OVERRUN.search(line)
            if overrun and overrun.group(1) != overrun.group(2):
                sys.exit(f"{path}: the kernel's buffer was too small: {line}")
            if not event:
                continue
            cpu, seconds, microseconds, name, rest = event.groups()
            now = int(seconds) * 10**9 + int(microseconds) * 1000
            if name == "sched_switch":
                previous, state, following = SWITCH.search(rest).groups()
                switches.switch(int(cpu), now, int(previous), state, int(following))
            else:
                tid, target = WAKEUP.search(" " + rest).groups()
                switches.wakeup(now, int(tid), int(target), name == "sched_wakeup_new")
    return switches


def within(own, begin, end):
    """Nanoseconds of each kind between two moments."""
    sums = {"runnable": 0, "waits": 0}
    for what, since, until in own:
        sums[what] += max(0, min(until, end) - max(since, begin))
    return sums


def compare(switches, founder):
    """For each thread whose end is recorded: (elapsed, {what: (ours, the kernel's)}), nanoseconds; None if the kernel did not show
    how it came to its CPU."""
    for experiment in experiments(founder):
        raw, monotonic, tick = clock_of(experiment)
        tids = {event.thread: event["tid"] for event in experiment.events("thread")}
        for thread in threads_of(experiment):
            if not thread.ended:
                continue
            if tids[thread.number] in switches.missed:
                yield None
                continue
            begin, end = (monotonic + moment - raw * tick for moment in (thread.begin, thread.end))
            kernel = within(switches.found.get(tids[thread.number], ()), begin, end)
            ours = {"runnable": thread.states["runnable"], "waits": sum(thread.states[state] for state in WAITS)}
            yield thread.elapsed, {what: (ours[what], kernel[what]) for what in ours}


def main():
    name, trace, founder = sys.argv[1:4]
    every = list(compare(read_trace(trace), founder))
    threads = [thread for thread in every if thread]
    short = not threads
    for what in ("runnable", "waits"):
        worst, total, kernel_total = 0.0, 0, 0
        for elapsed, both in threads:
            ours, kernel = both[what]
            total, kernel_total = total + ours, kernel_total + kernel
            if abs(ours - kernel) > BRIEF and abs(100 * (ours - kernel) / elapsed) > abs(worst):
                worst = 100 * (ours - kernel) / elapsed
        holds = threads and abs(worst) <= BOUND
        short = short or not holds
        print(f"bound: {name}: {what} of {len(threads)} of {len(every)} threads beside sched_switch, worst thread | {worst:+.3f} %, in all "
              f"{total / 1e9:.4f} of {kernel_total / 1e9:.4f} s | {BOUND:.0f} % | {'ok' if holds else 'SHORT'}", flush=True)
    sys.exit(1 if short else 0)


main()
