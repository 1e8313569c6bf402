#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Random folded stacks with two counts as pages: every frame has the words that the SVG picture has at that place, which
# picture_random_differences.py holds against a second program.
#   picture_page_differences.py ER_PRINT FIRST LAST    one file for each number
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
er_print, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
import browser as driver
import picture_frames
import picture_random_differences as differences

WIDTH = 1220
browser = driver.Browser(WIDTH, 900)
browser.media(prefers_reduced_motion="reduce")
checked, wrong = 0, []


def details(x, y):
    browser.move(5, 5)
    browser.move(x, y)
    return browser.js("document.getElementById('details').textContent")[len("Function: "):]


def compare(name, shown, change, scaled):
    global checked
    settings = ["-compare", "delta:by=folded" if scaled else "on", "-picture", "difference=%s:change=%s:width=%d" % (shown, change, WIDTH)]
    subprocess.run([er_print, "-import", name + ".folded", *settings, "-flamegraph", name + ".svg", "-flamegraph", name + ".html"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    frames = [frame for frame in picture_frames.read(name + ".svg")[0] if frame.width >= 3 and "thin frame" not in frame.name]
    browser.open(name + ".html")
    browser.until("document.body.classList.contains('ready')")
    bottom = browser.js("document.getElementById('canvas').getBoundingClientRect().bottom")
    for frame in frames:
        got = re.sub(r" in \S+$", "", details(frame.x + frame.width / 2, bottom - 16 * frame.depth - 8))
        checked += 1
        if got != "%s (%s)" % (frame.name, frame.said):
            wrong.append("%s, %s, %s%s: %r, the picture has %r" % (name, shown, change, ", scaled" if scaled else "", got, "%s (%s)" % (frame.name, frame.said)))


for seed in range(first, last + 1):
    with open("page%d.folded" % seed, "w", encoding="utf-8") as file:
        file.write("".join("%s %d %d\n" % (";".join(path), *counts) for path, counts in sorted(differences.stacks_of(seed).items())))
    for drawn in differences.DRAWN:
        compare("page%d" % seed, *drawn)
wrong += browser.complaints()
browser.close()
if wrong:
    sys.exit("\n".join(wrong[:20]))
print("%d frames of %d pages of differences" % (checked, (last - first + 1) * len(differences.DRAWN)))
