# SPDX-License-Identifier: Apache-2.0
# Compares how long functions waited with what their program says: own_clocks.py NAME LIST OWN. LIST is er_print's list of functions in
# csv, with inclusive metrics and short names; OWN has a line "function metric seconds" for each wait, by the program's own clock. The
# keywords of LIST's metrics come after that, in its order.
import csv
import sys

name, shown_file, own_file, *metrics = sys.argv[1:]
BOUND = 2.0
with open(shown_file, newline="") as file:
    rows = list(csv.reader(file))[1:]
shown = {row[-1]: dict(zip(metrics, map(float, row[:-1]))) for row in rows if len(row) == len(metrics) + 1}
worst, said, waits = 0.0, "none", 0
with open(own_file) as file:
    for line in file:
        function, metric, seconds = line.split()
        if metric not in metrics or float(seconds) < 0.005:
            continue
        got = shown.get(function, {}).get(metric, 0.0)
        off = 100 * (got / float(seconds) - 1)
        waits += 1
        if abs(off) >= abs(worst):
            worst, said = off, f"{function} {metric}, {got:.6f} of {float(seconds):.6f} s"
held = waits > 0 and abs(worst) <= BOUND
print(f"bound: {name}: {waits} waits beside the program's own clock, the worst {said} | {worst:+.2f} % | {BOUND:g} % | "
      f"{'ok' if held else 'SHORT'}")
sys.exit(not held)
