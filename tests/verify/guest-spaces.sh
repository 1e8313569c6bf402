#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code spaces by real counters: an emulated arm64 processor counts instructions exactly, at two cycles each, and a program executes a
# known number of them in rounds of three functions, of which one touches pages. Sums, appearances, the longest gap and verdicts by
# arithmetic.
# limit: 600
. "$TESTS/end-to-end/guest.bash"
on_guest -s 1 -t 500 <<'SCRIPT' || exit
cp $PROGRAMS/known_counts app
collect -p hi -h =cycles~user=1,=insts~user=1,=page-faults -o rounds.er ./app rounds 20 >known || exit
for report in spaces recurrence advice; do
	er_print -printmode json -$report rounds.er >$report.json || exit
done
SCRIPT
cd out || exit
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - <<'END'
import json

from bounds import bound, finish

ROUNDS, PAGES = 20, 100
INTERVAL = 500e3  # instructions of one, about
known = {name: int(count) for name, count in map(str.split, open("known"))}
spaces, recurrence, advice = (json.load(open(report + ".json"))["rows"] for report in ("spaces", "recurrence", "advice"))
for row in spaces + recurrence + advice:
    print({key: value for key, value in row.items() if value not in (0, "", None)})


def those_of(function, rows):
    return [row for row in rows if row["name"].startswith(function + " ") or row["name"].startswith(function + ",")]


# The ticks' handler executes some as well.
total, all_known = spaces[0], sum(known.values())
bound("instructions of all spaces, off what the program has", 100 * abs(total["instructions_executed"] / all_known - 1), 1, "%")
bound("cycles, off two an instruction", abs(total["cpu_cycles"] - 2 * total["instructions_executed"]), 0, "cycles")
bound("page faults, off those of the pages", 100 * abs(total["page_faults"] / (ROUNDS * PAGES) - 1), 3, "%")
# An interval in which one function follows another may be either's, or main's.
for function, count in known.items():
    own = sum(row["instructions_executed"] for row in those_of(function, spaces))
    bound("instructions of the spaces of %s, off what it executes" % function, abs(own - count) / ROUNDS / INTERVAL, 1, "intervals a round")
largest = {function: max(those_of(function, recurrence), key=lambda row: row["appearances"]) for function in known}
for function in "phase_one", "phase_two":
    bound("appearances of %s, off its rounds" % function, abs(largest[function]["appearances"] - ROUNDS), 3, "appearances")
# The longest gap is the middle round's, of 3 and 6 million, and 24 million more.
for function in "phase_one", "touch_pages":
    own = largest[function]
    bound("instructions in the longest gap of %s, off 33 million" % function,
          abs(own["instructions_executed_in_it"] - 33e6) / INTERVAL, 3, "intervals")
    assert "space %d" % those_of("phase_two", spaces)[0]["space"] in own["mostly"], own
# All page faults are in a function with 120 of 324 million instructions.
verdict = [row["verdict"] for row in those_of("touch_pages", spaces) if "Page Faults: deficit" in row["verdict"]]
assert verdict, "touch_pages has no deficit"
ratio = float(verdict[0].split("Page Faults: deficit, ")[1].split()[0])
bound("the deficit of page faults in touch_pages, off 2.70 times", 100 * abs(ratio / (all_known / known["touch_pages"]) - 1), 6, "%")
deficits = {(row["counter"], row["name"].split()[0].rstrip(",")) for row in advice if row["kind"] in ("space", "function")}
none = sum(counter in ("CPU Cycles", "Instructions Executed") for counter, _ in deficits)
bound("deficits of cycles and instructions, of which there are none", none, 0, "deficits")
assert ("Page Faults", "touch_pages") in deficits, deficits
finish()
END
