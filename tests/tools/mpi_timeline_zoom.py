#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Looks at an MPI timeline in a browser: what it says of pixels X,Y of the rows; then draws a line from one X to another, and prints what it
# says, "X,Y RGBA" of each pixel of the rows as they are drawn then, the ticks, and after Escape whether the whole is shown again. With
# -speed, the milliseconds from the file to the first answer, and the median of those of thirty steps of the wheel.
#   mpi_timeline_zoom.py FILE FROM TO X,Y...
#   mpi_timeline_zoom.py -speed FILE
import os
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import browser as driver

speed = sys.argv[1] == "-speed"
began = time.monotonic()
browser = driver.Browser(1100, 800)
opened = time.monotonic()
browser.open(sys.argv[1 + speed])
while not browser.js("document.getElementById('area').hasAttribute('data-ready')"):
    time.sleep(0.01)
if speed:
    print("%.0f" % (1000 * (time.monotonic() - opened)))
    print(browser.js("""(() => {
        const area = document.getElementById("area"), box = area.getBoundingClientRect(), times = [];
        for (let i = 0; i < 30; i++) {
            const begin = performance.now();
            area.dispatchEvent(new WheelEvent("wheel", { deltaY: i % 10 < 7 ? -1 : 1, ctrlKey: true, clientX: box.x + box.width / 2, clientY: box.y + 5, cancelable: true }));
            times.push(performance.now() - begin);
        }
        return times.sort((a, b) => a - b)[15].toFixed(1);
    })()"""))
    sys.exit()
left, top = browser.js("(() => { const box = document.getElementById('area').getBoundingClientRect(); return [box.x, box.y]; })()")
pairs = [tuple(map(int, pair.split(","))) for pair in sys.argv[4:]]
DETAILS = "document.getElementById('details').textContent"
for x, y in pairs:
    browser.move(left + x + 0.5, top + y + 0.5)
    print(browser.js(DETAILS))
browser.drag(left + int(sys.argv[2]), top + 5, left + int(sys.argv[3]), top + 5)
print(browser.js(DETAILS))
for x, y in pairs:
    print("%d,%d" % (x, y), browser.js("Array.from(document.getElementById('canvas').getContext('2d').getImageData(%d, %d, 1, 1).data)" % (x, y)))
print(browser.js("Array.from(document.querySelectorAll('#axis text'), (text) => text.textContent).join(' ')"))
HIDDEN = "Array.from(document.querySelectorAll('#rows, #messages, foreignObject'), (e) => e.classList.contains('hidden')).join(' ')"
print(browser.js(HIDDEN))
browser.key("Escape")
print(browser.js(HIDDEN))
