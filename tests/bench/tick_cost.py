# SPDX-License-Identifier: Apache-2.0
# Tells what one clock tick costs: tick_cost.py EXPERIMENT UNITS-FILE EMPTY-TIMES RATE, from a run of work_units under collect with
# empty_handler.so beside it.
"""The median time of the pieces of work with exactly one tick in them, less that of the piece right before without one: a
difference within one run, in neighbouring moments, so that the machine's changes of speed fall out. The same for the ticks of
the empty handler; and between pieces that both have no tick, which shows what such a difference is by chance."""
import bisect
import statistics
import sys

from experiment import Experiment

experiment = Experiment(sys.argv[1])
ours = sorted(event.time for event in experiment.events("clock") if event["mode"] < 3)
empty = sorted(int(line) for line in open(sys.argv[3]))
units = [tuple(map(int, line.split())) for line in open(sys.argv[2])]
length = [end - start for start, end in units]


def in_units(ticks):
    return [bisect.bisect(ticks, end) - bisect.bisect(ticks, start) for start, end in units]


kinds = list(zip(in_units(ours), in_units(empty)))
calm = sorted(length[i] for i in range(len(units)) if kinds[i] == (0, 0))
calm = statistics.mean(calm[len(calm) // 10:-(len(calm) // 10)])
most = 4 * calm  # longer pieces are left out: another process ran in them
# A tick's share of the work between two ticks of ours, without what other processes took.
interval = calm * len(units) / max(1, bisect.bisect(ours, units[-1][1]) - bisect.bisect(ours, units[0][0]))


def cost(kind):
    """Of pieces with that many ticks of both: its percentage of the work at our interval, the standard error of that median by
    its order statistics, the number of pieces."""
    pairs = sorted(length[i] - length[i - 1] for i in range(1, len(units)) if kinds[i] == kind and
                   kinds[i - 1] == (0, 0) and max(length[i - 1:i + 1]) < most)
    if len(pairs) < 100:
        sys.exit(f"only {len(pairs)} pieces with {kind} ticks beside one without")
    middle, around = len(pairs) // 2, int(len(pairs) ** 0.5 / 2)
    error = (pairs[middle + around] - pairs[middle - around]) / 2
    return 100 * statistics.median(pairs) / interval, 100 * error / interval, len(pairs)


tick, signal, chance = cost((1, 0)), cost((0, 1)), cost((0, 0))
print(f"-p {sys.argv[4]}: ticks cost {tick[0]:.2f} % of the work (+- {tick[1]:.2f}, {tick[2]} ticks), with an empty handler "
      f"{signal[0]:.2f} % (+- {signal[1]:.2f}, {signal[2]}): {tick[0] - signal[0]:+.3f} %, x{tick[0] / signal[0]:.2f}; "
      f"no tick {chance[0]:+.3f} % (+- {chance[1]:.3f})")
