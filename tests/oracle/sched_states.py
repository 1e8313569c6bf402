# SPDX-License-Identifier: Apache-2.0
# Thread states by the kernel's scheduler events: sched_states.py NAME TRACE EXPERIMENT. TRACE is the text of a tracing instance with
# trace_clock mono that had sched_switch, sched_wakeup and sched_wakeup_new while the experiment was recorded. For each thread the
# time on a run queue and the time that it waited are compared with the second reader's sums. Prints the bounds as tests/verify/run
# reads them; exit status 1 if one is short, 77 if nothing can be compared.
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
    """found: by thread id, [(what, begin, end), ...] in nanoseconds, `what` being "runnable" or "waits". Some kernels do not show
    how an idle CPU switches to a thread. woken_idle: thread ids of which that is so and which were woken there, so that they did
    not wait for long; missed: those of which it is not known when they came to a CPU."""

    def __init__(self):
        self.found, self.woken_idle, self.missed = {}, set(), set()
        self.off, self.running = {}, {}  # by thread id, (what it does now, since when, woken on an idle CPU); by CPU, thread id

    def enter(self, tid, what, now, idle=False):
        before = self.off.pop(tid, None)
        if before:
            self.found.setdefault(tid, []).append((*before[:2], now))
        if what:
            self.off[tid] = (what, now, idle)

    def switch(self, cpu, now, previous, state, following):
        not_shown = self.off.pop(previous, None)
        if not_shown:
            (self.woken_idle if not_shown[2] else self.missed).add(previous)
        self.enter(previous, "runnable" if state[0] == "R" else "waits", now)
        self.enter(following, None, now)
        self.running[cpu] = following

    def wakeup(self, now, tid, cpu, new):
        if new or self.off.get(tid, ("",))[0] == "waits":
            self.enter(tid, "runnable", now, self.running.get(cpu) == 0)


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
    """For each thread whose end is recorded: (elapsed, unexplained, {what: (ours, the kernel's)}), nanoseconds; None if the
    kernel did not show how it came to its CPU, or if the collector left out switches of the process."""
    for experiment in experiments(founder):
        raw, monotonic, tick = clock_of(experiment)
        thinned = experiment.counters().get("switches_left_out", 0) > 0
        tids = {event.thread: event["tid"] for event in experiment.events("thread")}
        for thread in threads_of(experiment):
            if not thread.ended:
                continue
            if thinned or tids[thread.number] in switches.missed:
                yield None
                continue
            begin, end = (monotonic + moment - raw * tick for moment in (thread.begin, thread.end))
            kernel = within(switches.found.get(tids[thread.number], ()), begin, end)
            ours = {"waits": sum(thread.states[state] for state in WAITS)}
            if tids[thread.number] not in switches.woken_idle:
                ours["runnable"] = thread.states["runnable"]
            yield thread.elapsed, thread.states["unexplained"], {what: (ours[what], kernel[what]) for what in ours}


def difference(ours, kernel, unexplained):
    """What of it is wrong: that something is unexplained is said."""
    return min(0, ours + unexplained - kernel) if ours < kernel else ours - kernel


def main():
    name, trace, founder = sys.argv[1:4]
    every = list(compare(read_trace(trace), founder))
    threads = [thread for thread in every if thread]
    if not threads:
        print(f"{name}: the kernel showed of no thread how it came to its CPU")
        sys.exit(77)
    short = False
    for what in ("runnable", "waits"):
        worst, total, kernel_total, compared = 0.0, 0, 0, 0
        for elapsed, unexplained, both in threads:
            if what not in both:
                continue
            compared += 1
            ours, kernel = both[what]
            total, kernel_total = total + ours, kernel_total + kernel
            wrong = difference(ours, kernel, unexplained)
            if abs(wrong) > BRIEF and abs(100 * wrong / elapsed) > abs(worst):
                worst = 100 * wrong / elapsed
        holds = abs(worst) <= BOUND
        short = short or not holds
        print(f"bound: {name}: {what} of {compared} of {len(every)} threads beside sched_switch, worst thread | {worst:+.3f} %, in all "
              f"{total / 1e9:.4f} of {kernel_total / 1e9:.4f} s | {BOUND:.0f} % | {'ok' if holds else 'SHORT'}", flush=True)
    sys.exit(1 if short else 0)


main()
