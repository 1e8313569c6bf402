# SPDX-License-Identifier: Apache-2.0
# Moves the mouse over a recurrence plot in a browser, and prints what it says of moments X,Y of the first panel.
#   recurrence_hover.py FILE X,Y...
import os
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import browser as driver

SAID = "Array.from(document.querySelector('.panel').querySelectorAll('.details'), (line) => line.textContent)"
browser = driver.Browser(700, 800)
browser.open(sys.argv[1])
box = browser.js("(() => { const box = document.querySelector('image').getBoundingClientRect(); return [box.x, box.y, box.width]; })()")
for pair in sys.argv[2:]:
    x, y = map(int, pair.split(","))
    for _ in range(100):
        browser.move(box[0] + (x + 0.5) * box[2] / 512, box[1] + (511.5 - y) * box[2] / 512)
        said = browser.js(SAID)
        if said[2]:  # the image is read by then
            break
        time.sleep(0.05)
    print(*said, sep="; ")
