#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# How large pictures are, how soon Chromium has opened them, and how soon it shows a zoom: open_pictures.py TOOLS ROUNDS FILE...
# Medians; the files are opened in turn, without animation. A zoom is from the click to the second frame after it, which the browser draws
# when the first is done.
import os
import re
import sys

sys.path.insert(0, sys.argv[1])
import browser

ROUNDS, FILES = int(sys.argv[2]), sys.argv[3:]
# The rectangle of the second level that is widest, or the canvas where that is: the lowest rows are the root's.
CLICK = """new Promise((done) => {
    const canvas = document.getElementById("canvas"), width = (one) => Number(one.getAttribute("width")), level = (one) => one.getBoundingClientRect().y;
    let target = canvas, x, y;
    if (canvas) {
        const box = canvas.getBoundingClientRect();
        [x, y] = [box.x + 100, box.bottom - 16 * 3 + 8];
    } else {
        const frames = Array.from(document.querySelectorAll("#frames rect"));
        const rows = Array.from(new Set(frames.map(level))).sort((a, b) => b - a);
        target = frames.filter((one) => level(one) === rows[2]).reduce((a, b) => width(b) > width(a) ? b : a);
        const box = target.getBoundingClientRect();
        [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    }
    const begun = performance.now();
    target.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
})"""
FRAMES = "document.getElementById('canvas') ? -1 : document.querySelectorAll('#frames rect').length"


def median(values):
    return sorted(values)[len(values) // 2]


window = browser.Browser(1220, 1000)
window.media(prefers_reduced_motion="reduce")
opened, zoomed, frames = {}, {}, {}
for _ in range(ROUNDS):
    for path in FILES:
        window.open(path)
        if path.endswith(".html"):
            window.until("document.body.classList.contains('ready')", True, 30)
            opened.setdefault(path, []).append(window.js("performance.now()"))
        else:
            opened.setdefault(path, []).append(window.js("performance.timing.loadEventEnd - performance.timing.navigationStart"))
        frames[path] = window.js(FRAMES)
        zoomed.setdefault(path, []).append(window.js(CLICK))
complaints = window.complaints()
window.close()
for path in FILES:
    count = "on a canvas" if frames[path] < 0 else "%s frames" % re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", str(frames[path]))
    print("%-34s %6.2f MB  %14s  opens in %5.0f ms  zooms in %5.0f ms" % (path, os.path.getsize(path) / 1e6, count, median(opened[path]), median(zoomed[path])))
if complaints:
    sys.exit("\n".join(complaints))
