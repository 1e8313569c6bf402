#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Row 19: a picture of 27,053 unique stacks, one of 20,000 frames, a page of a million, and a chart of 1,500,000 events: how long they take, how
# large they are, how soon a browser shows them and zooms; and as PNG by a program that runs no script.
# limit: 300
set -eu
/usr/bin/python3 "$TESTS/tools/big_folded.py" >big.folded
/usr/bin/python3 "$TESTS/tools/million_folded.py" >million.folded
/usr/bin/python3 "$TESTS/tools/long_chart.py" >chart.folded
awk 'BEGIN { for (i = 1; i <= 30000; i++) print "m;f" i, 1000 + i }' >many.folded
ER_PRINT=$BUILD/bin/er_print exec /usr/bin/python3 - "$TESTS/tools" <<'PY'
import os
import subprocess
import sys
import time

sys.path.insert(0, sys.argv[1])
import browser
import picture_frames

short = 0


def bound(what, value, holds, unit, most):
    global short
    short += not holds
    print("bound: %s | %s %s | %s %s | %s" % (what, value, unit, most, unit, "ok" if holds else "SHORT"))


def draw(name, *settings, suffix=".svg", command="-flamegraph"):
    times = []
    for _ in range(5 if suffix == ".svg" else 1):
        begun = time.monotonic()
        subprocess.run([os.environ["ER_PRINT"], "-import", name + ".folded", *settings, command, name + suffix], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - begun)
    return sorted(times)[len(times) // 2]


took, said = draw("big"), "a picture of 27,053 unique stacks"
bound(said, "%.2f" % took, took < 1, "s", "less than 1")
size = os.path.getsize("big.svg") / 1e6
bound("its size", "%.2f" % size, size < 3, "MB", "less than 3")
frames = picture_frames.read("big.svg")[0]
total = next(frame.said for frame in frames if frame.name == "<Total>")
bound("its total", total, total == "348,427, 100.00%", "", "348,427, 100.00%")
draw("many", "-picture", "least=0.0001px")
count = len(picture_frames.read("many.svg")[0])
bound("frames drawn of 30,001", count, 10000 < count <= 20000, "", "at most 20,000")
size = os.path.getsize("many.svg") / 1e6
bound("the size of a picture of %d frames" % count, "%.2f" % size, size < 3, "MB", "less than 3")
# How long each step of some zooms takes: its layout and its drawing. Rows are counted from the end where the root is.
STEPS = """new Promise(async (done) => {
    const times = [], ask = window.requestAnimationFrame.bind(window), canvas = document.getElementById("canvas");
    window.requestAnimationFrame = (step) => ask((now) => { const begun = performance.now(); step(now); times.push(performance.now() - begun); });
    for (const [x, row] of [[300, 5], [800, 9], [200, 3], [900, 14], [1200, 2]]) {
        const box = canvas.getBoundingClientRect(), y = %s;
        canvas.dispatchEvent(new MouseEvent("click", { clientX: box.x + x, clientY: y, bubbles: true }));
        await new Promise((next) => setTimeout(next, 500));
    }
    done(times.sort((a, b) => a - b));
})"""
window = browser.Browser(1600, 1000)


def measure_page(name, said, place):
    size = os.path.getsize(name + ".html") / 1e6
    bound("the size of " + said, "%.2f" % size, size < 10, "MB", "less than 10")
    begun = time.monotonic()
    window.open(name + ".html")
    window.until("document.body.classList.contains('ready')", True, 30)
    took = time.monotonic() - begun
    bound("Chromium opens it", "%.2f" % took, took < 3, "s", "less than 3")
    steps = window.js(STEPS % place)
    middle = steps[len(steps) // 2]
    bound("a step of a zoom, median of %d" % len(steps), "%.1f" % middle, len(steps) > 20 and middle < 16, "ms", "less than 16")


draw("million", suffix=".html")
measure_page("million", "a page of 1,000,001 frames", "box.bottom - 16 * row + 8")
took = draw("chart", suffix=".html", command="-flamechart")
bound("a chart of 1,500,000 events as a page", "%.2f" % took, took < 5, "s", "less than 5")
measure_page("chart", "the page", "box.top + 16 * row + 8")
bound("complaints of the browser", len(window.complaints()), not window.complaints(), "", "0")
draw("chart", command="-flamechart")
for name, most in (("big", 1), ("many", 3), ("chart", 3)):
    window.open(name + ".svg")
    opened = window.js("performance.timing.loadEventEnd - performance.timing.navigationStart") / 1000
    bound("Chromium opens %s.svg" % name, "%.2f" % opened, opened < most, "s", "less than %d" % most)
window.close()
subprocess.run(["rsvg-convert", "big.svg", "-o", "big.png"], check=True)
width = int.from_bytes(open("big.png", "rb").read(20)[16:20], "big")
bound("width of the PNG that rsvg-convert makes of it", width, width == 1200, "pixels", "1200")
sys.exit(short > 0)
PY
