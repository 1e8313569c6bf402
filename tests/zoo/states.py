# SPDX-License-Identifier: Apache-2.0
# Thread states of the zoo's programs: states.py BUILD [PATTERN]. Each of programs.toml, with the clock: whether its result is
# unchanged, whether the states of each thread add up to its elapsed time, and how much of that nothing explains. Prints a line for
# each, "bound: WHAT | VALUE | BOUND | ok" as tests/verify/run reads it. Programs that cannot be installed are left out, and threads
# whose end is not recorded. Exit status 1 if a bound is short.
import os
import re
import sys
import tomllib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import zoo  # noqa: E402

from thread_states import all_threads

OFF, OFF_BRIEF = 0.1, 300e-6  # per cent of a thread's elapsed time; or so many seconds, of its beginning and end
UNEXPLAINED = 2.0  # per cent of the elapsed time of all threads


def sums(path):
    """(threads, those whose end is not recorded, worst difference in per cent, seconds elapsed, unexplained per cent)"""
    threads = list(all_threads(path))
    ended = [thread for thread in threads if thread.ended]
    worst = 0.0
    for thread in ended:
        off = thread.sum - thread.elapsed
        if abs(off) > OFF_BRIEF * 1e9 and abs(100 * off / thread.elapsed) > abs(worst):
            worst = 100 * off / thread.elapsed
    elapsed = sum(thread.elapsed for thread in ended)
    unexplained = sum(thread.states["unexplained"] for thread in ended)
    return len(threads), len(threads) - len(ended), worst, elapsed / 1e9, 100 * unexplained / elapsed if elapsed else 0.0


def measure(animals, name, row):
    """(value, whether it holds), or why it is left out."""
    plain, why = animals.by_itself(row)
    if not plain:
        return why, None
    wrong = []
    clock = animals.once(row, ["-p", "on"])
    animals.judge(f"{name} with states", plain, clock, wrong)
    threads, endless, worst, elapsed, unexplained = sums(clock.experiment)
    value = f"{worst:+.3f} %, {unexplained:.2f} % of {elapsed:.2f} s in {threads} threads" + (f", {endless} without end" if endless else "")
    return value + "".join("; " + text for text in wrong), not wrong and abs(worst) <= OFF and unexplained <= UNEXPLAINED


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    build, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    with open(f"{here}/programs.toml", "rb") as stream:
        table = {name: row for name, row in tomllib.load(stream).items() if re.search(pattern, name)}
    animals, short = zoo.Zoo(build), 0
    if not animals.group.path:
        animals.end()
        sys.exit(77)
    try:
        for name, row in table.items():
            value, holds = measure(animals, name, row)
            if holds is None:
                print(f"{name}: {value}", flush=True)
                continue
            short += not holds
            print(f"bound: states of {name}: worst thread, unexplained | {value} | {OFF} %, {UNEXPLAINED:.0f} % | {'ok' if holds else 'SHORT'}", flush=True)
    finally:
        animals.end()
    sys.exit(1 if short else 0)


main()
